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
