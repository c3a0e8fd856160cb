"""Ops that only move elements, and Constant."""
import numpy as np

from vectors import absent, number, real, w


def transpose():
    for shape, perm in [
        ((), None), ((3,), None), ((2, 3), None), ((2, 3), [0, 1]), ((2, 3, 4), None), ((2, 3, 4), [0, 2, 1]),
        ((2, 3, 4), [1, 0, 2]), ((2, 3, 4), [2, 0, 1]), ((2, 0, 3), [2, 1, 0]), ((1, 3, 1, 2), [3, 2, 1, 0]),
        ((2, 2, 2, 2, 3), [4, 2, 0, 3, 1]),
    ]:
        x = real(shape, -8, 8)
        w.case("Transpose", 13, [x], [np.transpose(x, perm)], **({} if perm is None else {"perm": perm}))
    for dtype in ("i8", "u16", "i32", "u64", "bool"):
        w.case("Transpose", 13, [number(dtype, [[1, 0, 1], [0, 0, 1]])], [number(dtype, [[1, 0], [0, 0], [1, 1]])])
    x = np.arange(2 * 35 * 34).reshape(2, 35, 34) % 10
    for dtype, low in (("i4", -8), ("u4", 0), ("i2", -2), ("u2", 0)):
        codes = np.arange(3 * 5 * 3).reshape(3, 5, 3) * 7 % (16 if dtype[1] == "4" else 4) + low
        for perm in ([2, 1, 0], [0, 2, 1], [1, 0, 2]):
            w.case("Transpose", 25, [number(dtype, codes)], [number(dtype, np.transpose(codes, perm))], perm=perm)
    w.case("Transpose", 13, [number("i8", x)], [number("i8", np.transpose(x, (0, 2, 1)))], perm=[0, 2, 1])


def gather():
    for shape, axis, index in [
        ((5,), 0, 2), ((5,), 0, [4, 0, -1, -5]), ((3, 4), 0, [[2, 0], [1, 1]]), ((3, 4), 1, [3, 0]),
        ((3, 4), -1, [[1], [-4]]), ((2, 3, 4), 1, [2, 0, 2]), ((2, 3, 4), -3, 1), ((3, 4), 0, np.zeros((0,))),
        ((0, 3), 1, [2]), ((2, 3), 1, [[]]),
    ]:
        x, i = real(shape, -8, 8), np.array(index).astype(np.int64)
        for dtype in ("i32", "i64"):
            w.case("Gather", 13, [x, number(dtype, i)], [np.take(x, i, axis=axis)], axis=axis)
    w.case("Gather", 7, [number("i64", [7, 8, 9]), number("i64", [2])], [number("i64", [9])])
    w.case("Gather", 13, [number("bool", [[1, 0], [0, 1]]), number("i64", 1)], [number("bool", [0, 1])])


def concat():
    for shapes, axis in [([(2,), (3,)], 0), ([(2, 3), (2, 1), (2, 4)], 1), ([(1, 3), (2, 3)], -2), ([(2, 3)], 0),
                         ([(2, 0), (2, 2)], 1),
                         ([(2, 3, 2), (2, 3, 2)], 2), ([(0, 3), (0, 3)], 1)]:
        parts = [real(s, -8, 8) for s in shapes]
        w.case("Concat", 13, parts, [np.concatenate(parts, axis=axis)], axis=axis)
    w.case("Concat", 7, [number("i64", [1]), number("i64", [2, 3])], [number("i64", [1, 2, 3])], axis=0)


def slices():
    big = 2**63 - 1
    rows = [  # shape, starts, ends, axes, steps
        ((5,), [1], [3], None, None), ((5,), [-3], [big], [0], [1]), ((5,), [4], [-big], [0], [-1]),
        ((5,), [-1], [-6], [0], [-2]), ((3, 4), [1, 0], [3, 3], None, None), ((3, 4), [0, -2], [-1, big], [0, 1], None),
        ((3, 4), [0], [4], [-1], [3]), ((3, 4), [3], [1], [1], [1]), ((3, 4), [10], [20], [0], [1]),
        ((3, 4), [10], [-10], [0], [-1]), ((0, 4), [0], [5], [0], [1]), ((0, 4), [5], [-5], [0], [-1]),
        ((2, 3, 4), [-1, 0, 3], [-4, 2, -5], [1, 0, 2], [-1, 1, -2]), ((4,), [0], [4], [0], [big]),
        ((4,), [3], [-5], [0], [-big - 1]),
    ]
    for shape, starts, ends, axes, steps in rows:
        x = real(shape, -8, 8)
        view = [slice(None)] * len(shape)
        for i, (s, e) in enumerate(zip(starts, ends)):
            view[i if axes is None else axes[i]] = slice(s, e, 1 if steps is None else steps[i])
        result = x[tuple(view)]
        for dtype in ("i64", "i32"):
            if dtype == "i32" and any(abs(v) > 2**31 - 1 for v in starts + ends + (steps or [])):
                continue
            extra = [] if axes is None else [number(dtype, axes)]
            if steps is not None:
                extra = (extra or [absent()]) + [number(dtype, steps)]
            w.case("Slice", 13, [x, number(dtype, starts), number(dtype, ends)] + extra, [result])
        if steps is None or all(s == 1 for s in steps):
            attrs = {"starts": starts, "ends": ends, **({} if axes is None or min(axes) < 0 else {"axes": axes})}
            if axes is None or min(axes) >= 0:
                w.case("Slice", 9, [x], [result], **attrs)
    x = real((6,), -8, 8)
    w.case("Slice", 10, [x, number("i64", [5]), number("i64", [0]), absent(), number("i64", [-2])], [x[5:0:-2]])


def views():
    x = real((2, 3, 4), -8, 8)
    for shape, want in [([24], (24,)), ([4, -1], (4, 6)), ([0, -1], (2, 12)), ([0, 0, 2, 2], (2, 3, 2, 2)),
                        ([-1], (24,)), ([1, 24, 1], (1, 24, 1))]:
        w.case("Reshape", 13, [x, number("i64", shape)], [x.reshape(want)])
    w.case("Reshape", 7, [np.array([3.0]), number("i64", np.zeros(0))], [np.array(3.0)])
    w.case("Reshape", 14, [np.zeros((0, 4)), number("i64", [4, 0])], [np.zeros((4, 0))], allowzero=1)
    w.case("Reshape", 14, [np.zeros((0, 4)), number("i64", [0, 2, 2])], [np.zeros((0, 2, 2))], allowzero=0)
    w.case("Reshape", 14, [np.zeros((0, 4)), number("i64", [5, -1])], [np.zeros((5, 0))])
    for value in (x, number("i8", [[1], [-1]]), number("bool", [1, 0]), np.zeros((0,)), np.array(1.5)):
        w.case("Identity", 16, [value], [value])
    w.case("Constant", 13, [], [number("i64", 7)], value_int=7)
    w.case("Constant", 13, [], [number("i64", [1, -2, 3])], value_ints=[1, -2, 3])
    w.case("Constant", 13, [], [number("f32", 0.5)], value_float=0.5)
    w.case("Constant", 13, [], [number("f32", [0.5, -2.0])], value_floats=[0.5, -2.0])
    for value in (number("f16", [[1.5, -2.0]]), number("i32", 5), number("bool", np.zeros((0, 2)))):
        w.case("Constant", 9, [], [value], value=value)


def gather_nd():
    rows = [  # shape, indices, batch_dims
        ((2, 2), [[0, 0], [1, 1]], 0), ((2, 2), [[1], [0]], 0), ((2, 3, 4), [[[0, 1]], [[-1, -3]]], 0),
        ((2, 3, 4), [[1], [0]], 1), ((2, 3, 4), [[[2], [0]], [[1], [-1]]], 1), ((2, 2, 3), [[[2], [0]], [[1], [1]]], 2),
        ((5,), [[4], [-5]], 0), ((3, 4), np.zeros((0, 2)), 0), ((3, 0), [[1]], 0),
    ]
    for shape, index, batch in rows:
        x, i = real(shape, -8, 8), np.array(index).astype(np.int64)
        lead = shape[:batch]
        result = []
        count = int(np.prod(lead))
        flat_x, flat_i = x.reshape((count,) + shape[batch:]), i.reshape((count,) + i.shape[batch:])
        for one_x, one_i in zip(flat_x, flat_i):
            result.append([one_x[tuple(t)] for t in one_i.reshape(-1, i.shape[-1])])
        want = i.shape[:-1] + shape[batch + i.shape[-1]:]
        result = np.array(result).reshape(want)
        w.case("GatherND", 13, [x, number("i64", i)], [result], batch_dims=batch)
        if batch == 0:
            w.case("GatherND", 11, [x, number("i64", i)], [result])
    w.case("GatherND", 13, [number("bool", [[1, 0], [0, 1]]), number("i64", [[1, 1]])], [number("bool", [1])])


def split():
    for shape, axis, parts in [((6,), 0, [2, 4]), ((2, 6), 1, [1, 0, 5]), ((2, 6), -1, [3, 3]), ((5, 2), 0, [5]),
                               ((0, 3), 1, [1, 2])]:
        x = real(shape, -8, 8)
        results = np.split(x, np.cumsum(parts)[:-1], axis=axis)
        w.case("Split", 13, [x, number("i64", parts)], results, axis=axis)
        w.case("Split", 18, [x, number("i64", parts)], results, axis=axis)
        w.case("Split", 11, [x], results, axis=axis, split=parts)
    x = real((6, 4), -8, 8)
    w.case("Split", 7, [x], np.split(x, 3, axis=0))
    w.case("Split", 13, [x], np.split(x, 2, axis=1), axis=1)
    w.case("Split", 18, [x], [x[:2], x[2:4], x[4:]], num_outputs=3)
    w.case("Split", 18, [x], [x[:2], x[2:4], x[4:6], x[6:]], num_outputs=4)
    x = real((7,), -8, 8)
    w.case("Split", 18, [x], [x[:3], x[3:6], x[6:]], num_outputs=3)
    w.case("Split", 13, [number("bool", [1, 0])], [number("bool", [1]), number("bool", [0])])


def pad():
    modes = ["constant", "edge", "reflect", "wrap"]
    for shape, before, behind in [((4,), [2], [1]), ((2, 3), [1, 0], [0, 2]), ((2, 3), [0, 2], [0, 2]), ((3, 3), [4, 5], [7, 6]),
                                  ((2, 2, 3), [0, 1, 1], [1, 0, 2]), ((1, 2), [2, 0], [1, 0])]:
        for mode in modes:
            x = real(shape, -8, 8)
            want = np.pad(x, list(zip(before, behind)), mode=mode)
            w.case("Pad", 19, [x, number("i64", before + behind)], [want], mode=mode)
            if mode != "wrap":
                w.case("Pad", 7, [x], [want], mode=mode, pads=before + behind)
                w.case("Pad", 11, [x, number("i64", before + behind)], [want], mode=mode)
    for mode in modes:  # taken off first, then added
        x = real((4, 5), -8, 8)
        rest = x[1:, :3]
        w.case("Pad", 19, [x, number("i64", [-1, 2, 2, -2])], [np.pad(rest, [(0, 2), (2, 0)], mode=mode)], mode=mode)
        w.case("Pad", 19, [x, number("i64", [-1, 7, 5, -2])], [np.pad(rest, [(0, 5), (7, 0)], mode=mode)], mode=mode)
    x = real((3, 4), -8, 8)
    filled = np.pad(x, [(1, 0), (0, 2)], constant_values=1.5)
    w.case("Pad", 13, [x, number("i64", [1, 0, 0, 2]), np.array(1.5)], [filled])
    w.case("Pad", 7, [x], [filled], pads=[1, 0, 0, 2], value=1.5)
    w.case("Pad", 18, [x, number("i64", [2, 1]), absent(), number("i64", [-1])], [np.pad(x, [(0, 0), (2, 1)])])
    w.case("Pad", 18, [x, number("i64", [2, 1, 0, 3]), np.array(-2.0), number("i32", [1, 0])],
           [np.pad(x, [(1, 3), (2, 0)], constant_values=-2)])
    w.case("Pad", 13, [x, number("i64", [-1, 1, 0, -2])], [np.pad(x[1:, :2], [(0, 0), (1, 0)])])
    w.case("Pad", 13, [np.zeros((0, 2)), number("i64", [1, 0, 1, 0])], [np.zeros((2, 2))])
    w.case("Pad", 13, [np.array(2.5), number("i64", np.zeros(0))], [np.array(2.5)])
    for dtype in ("i8", "u16", "i32", "i64", "bool"):
        w.case("Pad", 13, [number(dtype, [1, 0]), number("i64", [1, 1]), number(dtype, 1)], [number(dtype, [1, 1, 0, 1])])
    for dtype in ("i4", "u4", "i2", "u2", "f4_e2m1fn"):  # which share bytes
        version = 25 if dtype[1] == "2" else 24
        w.case("Pad", version, [number(dtype, [[1, 0, 1], [0, 1, 1]]), number("i64", [1, 0, 0, 2]), number(dtype, 1)],
               [number(dtype, [[1, 1, 1, 1, 1], [1, 0, 1, 1, 1], [0, 1, 1, 1, 1]])])
        w.case("Pad", version, [number(dtype, [1, 0, 0]), number("i64", [2, 1])], [number(dtype, [0, 0, 1, 0, 0, 0])], mode="reflect")


def expand():
    for shape, wanted in [((3, 1), [2, 1, 6]), ((3, 1), [3, 4]), ((3, 1), [1]), ((), [2, 3]), ((3,), []), ((2, 1, 3), [1, 4, 1]),
                          ((1,), [0]), ((1, 3), [0, 3])]:
        x = real(shape, -8, 8)
        for version in (8, 13):
            w.case("Expand", version, [x, number("i64", np.array(wanted, dtype=np.int64))],
                   [x * np.ones(wanted)])
    w.case("Expand", 13, [number("bool", [[1], [0]]), number("i64", [2, 2])], [number("bool", [[1, 1], [0, 0]])])
    w.case("Expand", 13, [number("i64", [2**40]), number("i64", [3])], [number("i64", [2**40] * 3)])


def made_from_shapes():
    x = real((2, 3, 4), -8, 8)
    for axes, want in [([0], (1, 2, 3, 4)), ([-1], (2, 3, 4, 1)), ([1, 3], (2, 1, 3, 1, 4)), ([4, 0], (1, 2, 3, 4, 1))]:
        w.case("Unsqueeze", 13, [x, number("i64", axes)], [x.reshape(want)])
        w.case("Unsqueeze", 11, [x], [x.reshape(want)], axes=axes)
        w.case("Squeeze", 13, [x.reshape(want), number("i64", axes)], [x])
        w.case("Squeeze", 11, [x.reshape(want)], [x], axes=axes)
    w.case("Unsqueeze", 7, [number("i64", 5)], [number("i64", [5])], axes=[0])
    w.case("Unsqueeze", 13, [x, number("i64", np.zeros(0))], [x])
    w.case("Squeeze", 13, [x.reshape(2, 1, 3, 1, 4)], [x])
    w.case("Squeeze", 7, [x.reshape(1, 2, 3, 1, 4)], [x])
    w.case("Squeeze", 13, [x.reshape(1, 2, 3, 4), number("i64", np.zeros(0))], [x.reshape(1, 2, 3, 4)])
    for axis, want in [(0, (1, 24)), (1, (2, 12)), (2, (6, 4)), (3, (24, 1)), (-1, (6, 4)), (-3, (1, 24))]:
        w.case("Flatten", 13, [x], [x.reshape(want)], axis=axis)
    w.case("Flatten", 7, [x], [x.reshape(2, 12)])
    w.case("Flatten", 13, [np.array(1.5)], [np.array([[1.5]])], axis=0)
    w.case("Flatten", 13, [np.zeros((3, 0, 2))], [np.zeros((3, 0))])
    w.case("Shape", 13, [x], [number("i64", [2, 3, 4])])
    w.case("Shape", 7, [number("bool", np.zeros((0, 5)))], [number("i64", [0, 5])])
    w.case("Shape", 13, [np.array(1.0)], [number("i64", np.zeros(0))])
    for start, end in [(0, 2), (1, None), (-1, None), (-2, -1), (2, 1), (-9, 9), (5, 9)]:
        attrs = {"start": start, **({} if end is None else {"end": end})}
        w.case("Shape", 15, [x], [number("i64", np.array([2, 3, 4][start:end], dtype=np.int64))], **attrs)
    w.case("Shape", 21, [x], [number("i64", [3])], start=1, end=2)
    for value in (x, np.array(1.0), np.zeros((3, 0))):
        w.case("Size", 13, [value], [number("i64", value.size)])
    w.case("ConstantOfShape", 9, [number("i64", [2, 3])], [number("f32", np.zeros((2, 3)))])
    w.case("ConstantOfShape", 9, [number("i64", np.zeros(0))], [number("i64", 7)], value=number("i64", [7]))
    w.case("ConstantOfShape", 20, [number("i64", [0, 2])], [number("bool", np.zeros((0, 2)))], value=number("bool", [1]))
    w.case("ConstantOfShape", 20, [number("i64", [3])], [number("f16", [1.5] * 3)], value=number("f16", [1.5]))
    w.case("ConstantOfShape", 9, [number("i64", [1, 2])], [number("u8", [[9, 9]])], value=number("u8", [9]))
    for dtype, start, limit, delta in [("i64", 0, 5, 1), ("i32", 10, 4, -2), ("i64", 10, 4, -4), ("i16", 3, 3, 1), ("i64", 5, 0, 1),
                                       ("i64", -(2**62), 2**62, 2**61), ("f32", 1.0, 3.0, 0.5), ("f64", 0.0, 1.0, 0.25),
                                       ("f32", 2.0, -1.0, -0.75), ("f32", 0.0, 0.0, 1.0), ("f64", 1.0, 2.0, 7.0)]:
        w.case("Range", 11, [number(dtype, v) for v in (start, limit, delta)], [number(dtype, np.arange(start, limit, delta))])


def tile():
    for shape, repeats in [((3,), [2]), ((2, 3), [1, 2]), ((2, 3), [3, 1]), ((2, 1, 3), [2, 2, 2]), ((2, 3), [0, 1]), ((), []), ((0, 2), [2, 2])]:
        x = real(shape, -8, 8)
        for version in (7, 13):
            w.case("Tile", version, [x, number("i64", np.array(repeats, dtype=np.int64))], [np.tile(x, repeats) if repeats else x])
    w.case("Tile", 13, [number("bool", [1, 0]), number("i64", [2])], [number("bool", [1, 0, 1, 0])])


def gather_elements():
    for shape, axis, index in [((2, 2), 1, [[0, 0], [1, 0]]), ((3, 3), 0, [[1, 2, 0], [2, 0, 0]]), ((3, 3), 0, [[-1, -2, 0], [-2, 0, 0]]),
                               ((4,), -1, [3, -4]), ((2, 3, 4), 2, [[[3, 0]], [[-1, 2]]]), ((2, 3), 1, np.zeros((0, 2)))]:
        x, i = real(shape, -8, 8), np.array(index).astype(np.int64)
        part = x[tuple(slice(None) if d == axis % len(shape) else slice(0, n) for d, n in enumerate(i.shape))]
        result = np.take_along_axis(part, i, axis=axis)
        for version, dtype in ((11, "i32"), (13, "i64")):
            w.case("GatherElements", version, [x, number(dtype, i)], [result], axis=axis)
    w.case("GatherElements", 13, [number("bool", [1, 0]), number("i64", [1, 1, 0])], [number("bool", [0, 0, 1])])


REDUCTIONS = {"none": lambda a, b: b, "add": lambda a, b: a + b, "mul": lambda a, b: a * b, "max": max, "min": min}


def scatter():
    for shape, axis, index in [((5,), 0, [1, 3]), ((3, 3), 0, [[1, 0, 2], [0, 2, 1]]), ((1, 5), 1, [[1, -1]]), ((2, 3), 1, np.zeros((2, 0)))]:
        for name, f in REDUCTIONS.items():
            x, i = real(shape, -4, 4), np.array(index).astype(np.int64)
            update, result = real(i.shape, -4, 4), x.copy()
            for at in np.ndindex(i.shape):
                to = list(at)
                to[axis] = i[at]
                result[tuple(to)] = f(result[tuple(to)], update[at])
            attrs = {} if name == "none" else {"reduction": name}
            w.case("ScatterElements", 18, [x, number("i64", i), update], [result], axis=axis, scale=16, **attrs)
            if name == "none":
                w.case("ScatterElements", 11, [x, number("i32", i), update], [result], axis=axis)
    w.case("ScatterElements", 18, [number("i32", [1, 2]), number("i64", [1, 1, 1]), number("i32", [5, 6, 7])], [number("i32", [1, 20])],
           reduction="add")
    for shape, index in [((8,), [[4], [3], [1], [7]]), ((4, 2), [[0], [-2]]), ((2, 3, 2), [[[0, 1]], [[1, -1]]]), ((3, 2), np.zeros((0, 1)))]:
        for name, f in REDUCTIONS.items():
            x, i = real(shape, -4, 4), np.array(index).astype(np.int64)
            update, result = real(i.shape[:-1] + shape[i.shape[-1]:], -4, 4), x.copy()
            for at in np.ndindex(i.shape[:-1]):
                to = tuple(i[at])
                result[to] = np.vectorize(f, otypes=[float])(result[to], update[at])
            attrs = {} if name == "none" else {"reduction": name}
            w.case("ScatterND", 18, [x, number("i64", i), update], [result], scale=16, **attrs)
            if name == "none":
                w.case("ScatterND", 11, [x, number("i64", i), update], [result])
    w.case("ScatterND", 18, [number("bool", [0, 0]), number("i64", [[1]]), number("bool", [1])], [number("bool", [0, 1])])
    for reduction, result in (("add", [1, 1, 1]), ("max", [1, 1, 1]), ("mul", [0, 0, 1]), ("min", [0, 0, 1])):
        w.case("ScatterND", 18, [number("bool", [1, 0, 1]), number("i64", [[0], [1], [2]]), number("bool", [0, 1, 1])], [number("bool", result)],
               reduction=reduction)
    z, more = np.array([1 + 2j, 3 - 1j, 0.5j]), np.array([2 - 1j, 1 + 1j])
    for dtype in ("c64", "c128"):
        for reduction, f in (("none", lambda a, b: b), ("add", np.add), ("mul", np.multiply)):
            result = z.copy()
            result[[2, 0]] = f(z[[2, 0]], more)
            w.case("ScatterND", 18, [number(dtype, z), number("i64", [[2], [0]]), number(dtype, more)], [number(dtype, result)], reduction=reduction)
            w.case("ScatterElements", 18, [number(dtype, z), number("i64", [2, 0]), number(dtype, more)], [number(dtype, result)],
                   reduction=reduction)


def triangles():
    for shape in [(3, 3), (2, 4), (4, 2), (2, 3, 3), (0, 3), (1, 1)]:
        for k in (None, 0, 1, -1, 5, -5, 2**40):
            x = real(shape, -8, 8)
            extra, offset = ([], 0) if k is None else ([number("i64", k)], min(k, 9))
            w.case("Trilu", 14, [x] + extra, [np.triu(x, offset)])
            w.case("Trilu", 14, [x] + extra, [np.tril(x, offset)], upper=0)
    w.case("Trilu", 14, [number("i64", [[1, 2], [3, 4]])], [number("i64", [[1, 2], [0, 4]])])
    for shape in [(3, 3), (2, 4), (4, 2), (0, 2)]:
        for k in (0, 1, -1, 3, -4, 9, -(2**63), 2**63 - 1):
            w.case("EyeLike", 9, [np.zeros(shape)], [np.eye(*shape, k=int(np.clip(k, -9, 9)))], k=k)
    w.case("EyeLike", 22, [number("i32", np.zeros((2, 2)))], [number("f64", np.eye(2))], dtype=11)
    w.case("EyeLike", 9, [number("bool", np.zeros((2, 2)))], [number("bool", np.eye(2))])


def space_and_depth():
    for shape, b in [((1, 4, 2, 3), 2), ((2, 8, 1, 1), 2), ((1, 9, 2, 2), 3), ((1, 3, 2, 2), 1), ((0, 4, 2, 2), 2)]:
        x = real(shape, -8, 8)
        n, c, h, width = shape
        deep = x.reshape(n, b, b, c // b**2, h, width).transpose(0, 3, 4, 1, 5, 2).reshape(n, c // b**2, h * b, width * b)
        w.case("DepthToSpace", 13, [x], [deep], blocksize=b)
        w.case("DepthToSpace", 7, [x], [deep], blocksize=b)
        crd = x.reshape(n, c // b**2, b, b, h, width).transpose(0, 1, 4, 2, 5, 3).reshape(n, c // b**2, h * b, width * b)
        w.case("DepthToSpace", 13, [x], [crd], blocksize=b, mode="CRD")
        w.case("SpaceToDepth", 13, [deep], [x], blocksize=b)


def one_hot():
    for index, depth, axis in [([0, 7, 8], 12, -1), ([[1, -1], [2, 5]], 4, 1), ([1, -3, -4, 3], 3, 0), (2, 4, -1), (np.zeros((0,)), 3, -1)]:
        i = np.array(index).astype(np.int64)
        place = np.where(i < 0, i + depth, i)
        hot = np.moveaxis(place[..., None] == np.arange(depth), -1, axis)
        w.case("OneHot", 11, [number("i64", i), number("i64", depth), number("f32", [1.0, 5.0])], [number("f32", np.where(hot, 5.0, 1.0))],
               axis=axis)
        w.case("OneHot", 9, [number("f32", i), number("f32", [depth]), number("i32", [0, 1])], [number("i32", hot)], axis=axis)


def tensor_scatter():
    def one(shape, axis, length, starts=None, mode="linear"):
        shape, at = tuple(shape), axis % len(shape)
        cache, update = real(shape, -8, 8), real(shape[:at] + (length,) + shape[at + 1:], -8, 8)
        y = cache.copy()
        for b in range(shape[0]):
            for i in range(length):
                to = [b] + [slice(None)] * (at - 1) + [((starts[b] if starts else 0) + i) % shape[at]]
                y[tuple(to)] = update[tuple(to[:-1] + [i])]
        w.case("TensorScatter", 24, [cache, update] + ([number("i64", starts)] if starts else []), [y], axis=axis, mode=mode)

    one((2, 1, 4, 5), -2, 1, [1, 3])
    one((3, 4, 5), -2, 2, [1, 2, 0])
    one((2, 1, 4, 5), -2, 2, [3, 9], "circular")
    one((2, 3, 4), 1, 3)
    one((2, 3, 4), -1, 2, [2, 0])
    one((2, 3, 4), -2, 0)
    w.case("TensorScatter", 24, [number("u8", [[[1], [2], [3]]]), number("u8", [[[9]]]), number("i64", [2])], [number("u8", [[[1], [2], [9]]])])
    for dtype in ("i4", "u4"):  # which share bytes
        w.case("TensorScatter", 24, [number(dtype, [[[1], [2], [3]], [[4], [5], [6]]]), number(dtype, [[[7]], [[0]]]), number("i64", [2, 0])],
               [number(dtype, [[[1], [2], [7]], [[0], [5], [6]]])])
