"""MatMul and Gemm."""
import numpy as np

from vectors import as_f32, number, real, w


def matmul():
    for a_shape, b_shape in [
        ((1, 1), (1, 1)), ((2, 3), (3, 4)), ((3,), (3,)), ((3,), (3, 4)), ((2, 3), (3,)), ((5, 2, 3), (3,)),
        ((3,), (5, 3, 2)), ((2, 2, 3), (3, 4)), ((2, 3), (5, 3, 4)), ((2, 1, 2, 3), (3, 3, 2)), ((1, 2, 3), (4, 3, 1)),
        ((2, 0), (0, 3)), ((0, 3), (3, 2)), ((5, 17), (17, 19)), ((1, 300), (300, 2)),
    ]:
        a, b = real(a_shape, -2, 2), real(b_shape, -2, 2)
        w.case("MatMul", 13, [a, b], [np.matmul(a, b)], scale=float(np.max(np.matmul(np.abs(a), np.abs(b)), initial=0)))
    a, b = np.arange(67 * 3).reshape(67, 3) % 5, np.arange(3 * 18).reshape(3, 18) % 4
    w.case("MatMul", 13, [number("i32", a), number("i32", b)], [number("i32", a @ b)])
    for dtype in ("i32", "i64", "u32", "u64"):
        w.case("MatMul", 9, [number(dtype, [[1, 2], [3, 4]]), number(dtype, [[5, 6], [7, 8]])],
               [number(dtype, [[19, 22], [43, 50]])])
    w.case("MatMul", 13, [number("i32", [2**30, 2**30]), number("i32", [2, 2])], [number("i32", 0)])


def gemm():
    def one(version, m, n, k, c_shape, ta=0, tb=0, alpha=1.0, beta=1.0):
        a, b = real((k, m) if ta else (m, k), -2, 2), real((n, k) if tb else (k, n), -2, 2)
        c = None if c_shape is None else real(c_shape, -2, 2)
        left, right = (a.T if ta else a), (b.T if tb else b)
        y = alpha * (left @ right) + (0 if c is None else beta * c)
        size = abs(alpha) * float(np.max(np.abs(left) @ np.abs(right), initial=0)) + 2 * abs(beta)
        w.case("Gemm", version, [a, b] + ([] if c is None else [c]), [np.broadcast_to(y, (m, n))], scale=size,
               transA=ta, transB=tb, alpha=alpha, beta=beta)

    one(7, 2, 3, 4, (2, 3))
    for ta in (0, 1):
        for tb in (0, 1):
            one(13, 3, 5, 2, (5,), ta, tb)
            one(11, 3, 5, 2, None, ta, tb, alpha=0.5)
    for c_shape in [(), (1,), (1, 1), (1, 4), (3, 1), (3, 4)]:
        one(13, 3, 4, 2, c_shape, alpha=0.25, beta=2.0)
    one(13, 2, 3, 0, (3,))
    one(13, 0, 3, 2, (3,))
    one(13, 66, 2, 3, (66, 1), 1, 1)
    w.case("Gemm", 13, [number("i32", [[1, 2]]), number("i32", [[3], [4]]), number("i32", [5])],
           [number("i32", [[16]])])
    w.case("Gemm", 13, [number("i64", [[1, 2]]), number("i64", [[3], [4]]), number("i64", [5])],
           [number("i64", [[27]])], alpha=2.0)


def einsum():
    for equation, shapes in [("ij,jk->ik", [(2, 3), (3, 4)]), ("ij->ji", [(2, 3)]), ("ii->i", [(3, 3)]), ("ii", [(3, 3)]), ("ij,jk", [(2, 3), (3, 4)]),
                             ("bij,bjk->bik", [(2, 2, 3), (2, 3, 2)]), ("...ij,...jk->...ik", [(2, 1, 2, 3), (3, 3, 2)]), ("i,i->", [(5,), (5,)]),
                             ("bhwi,bhwj->bij", [(1, 2, 2, 3), (1, 2, 2, 2)]), ("i,j,k->kji", [(2,), (3,), (2,)]), ("...->...", [(2, 3)]),
                             ("b...a->a...", [(2, 3, 4)]), ("ij->", [(0, 3)]), ("bi,bi->b", [(2, 3), (1, 3)])]:
        operands = [real(shape, -4, 4) for shape in shapes]
        sizes = [np.broadcast_to(o, (2, 3)) if equation == "bi,bi->b" else o for o in operands]
        w.case("Einsum", 12, operands, [np.einsum(equation, *sizes)], scale=400, equation=equation.replace(" ", ""))
    w.case("Einsum", 12, [number("i64", [[1, 2], [3, 4]]), number("i64", [5, 6])], [number("i64", [17, 39])], equation="ij,j->i")


def transposed_matmul():
    def one(batch_a, batch_b, m, k, n, trans=(0, 0), batches=(0, 0), alpha=1.0):
        a, b = real(batch_a + (m, k), -2, 2), real(batch_b + (k, n), -2, 2)
        y = as_f32(alpha) * np.matmul(a, b)
        stored = []
        for x, swapped, batch_swapped in zip((a, b), trans, batches):
            x = x.swapaxes(-1, -2) if swapped else x
            stored.append(np.moveaxis(x, -2, 0) if batch_swapped else x)
        w.case("com.microsoft.FusedMatMul", 1, stored, [y], scale=16.0, transA=trans[0], transB=trans[1], transBatchA=batches[0],
               transBatchB=batches[1], alpha=alpha)

    for trans in ((0, 0), (0, 1), (1, 0), (1, 1)):
        one((), (), 3, 4, 5, trans)
        one((2, 3), (2, 3), 3, 4, 5, trans, alpha=0.25)
        one((2, 1), (3,), 2, 4, 3, trans)
        for batches in ((0, 1), (1, 0), (1, 1)):
            one((2, 3), (2, 3), 2, 4, 5, trans, batches, alpha=2.0)
    x, y = real((4,), -2, 2), real((2, 4, 3), -2, 2)
    w.case("com.microsoft.FusedMatMul", 1, [x, y], [np.matmul(x, y) * 0.5], scale=16.0, alpha=0.5)


def inverse():
    for shape in ((1, 1), (2, 2), (3, 2, 4, 4), (0, 2, 2)):
        x = real(shape, -2, 2) + 3 * np.eye(shape[-1])
        w.case("com.microsoft.Inverse", 1, [x], [np.linalg.inv(x)], scale=4.0)
    swapped = np.array([[0, 2, 1], [1, 0, 0], [3, 0, 1.0]])
    w.case("com.microsoft.Inverse", 1, [swapped], [np.linalg.inv(swapped)], scale=4.0)


def split_matmul():
    for a_shape, b_shape, widths in [((3, 5), (5, 7), [4, 1, 2]), ((2, 3, 4), (4, 6), [5, 1]), ((4,), (4, 5), [2, 3]), ((2, 2, 3), (2, 3, 4), [1, 2, 1]),
                                     ((2, 3), (3, 4), [0, 4]), ((0, 3), (3, 4), [2, 2]), ((2, 0), (0, 3), [1, 2])]:
        a, b = real(a_shape, -2, 2), real(b_shape, -2, 2)
        w.case("ai.daybreak.SplitMatMul", 1, [a, b], np.split(np.matmul(a, b), np.cumsum(widths)[:-1], axis=-1), scale=16.0, widths=widths)


def permuted_matmul():
    for a_shape, a_order, b_shape, b_order in [((3, 2), [1, 0], (3, 4), [0, 1]), ((2, 3, 4), [0, 2, 1], (2, 3, 5), [0, 1, 2]),
                                               ((2, 5, 3, 4), [0, 2, 1, 3], (2, 6, 3, 4), [0, 2, 3, 1]), ((2, 3), [0, 1], (4, 3, 2), [2, 1, 0])]:
        a, b = real(a_shape, -2, 2), real(b_shape, -2, 2)
        w.case("ai.daybreak.PermutedMatMul", 1, [a, b], [np.matmul(a.transpose(a_order), b.transpose(b_order))], scale=16.0, permA=a_order, permB=b_order)
