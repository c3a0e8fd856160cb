"""Where and Cast."""
import numpy as np

from vectors import number, real, w


def where():
    for cs, xs, ys in [((), (), ()), ((3,), (3,), (3,)), ((2, 3), (3,), ()), ((2, 1), (1, 4), (2, 4)),
                       ((1,), (2, 3), (2, 3)),
                       ((3, 1, 1), (2, 1), (4,)), ((0,), (0,), (1,)), ((23,), (23,), ()), ((23,), (), (23,))]:
        c = real(cs, -8, 8) > 0
        x, y = real(xs, -8, 8), real(ys, -8, 8)
        w.case("Where", 16, [number("bool", c), x, y], [np.where(c, x, y)])
    c = np.array([True, False, True])
    for dtype in ("i8", "u16", "i32", "i64", "u64", "bool", "f16"):
        x, y = np.array([1, 0, 1]), np.array([0, 1, 1])
        w.case("Where", 9, [number("bool", c), number(dtype, x), number(dtype, y)], [number(dtype, np.where(c, x, y))])


CODES = {"f32": 1, "u8": 2, "i8": 3, "u16": 4, "i16": 5, "i32": 6, "i64": 7, "bool": 9, "f16": 10, "f64": 11, "u32": 12,
         "u64": 13,
         "bf16": 16}


def cast():
    for source in CODES:
        for target in CODES:
            values = [0, 1, 3, 100] if source != "bool" else [0, 1, 1, 0]
            result = [int(v != 0) for v in values] if target == "bool" else values
            w.case("Cast", 13, [number(source, values)], [number(target, result)], to=CODES[target])
    x = np.array([-7.9375, -1.5, -0.5, 0.5, 1.5, 7.9375])
    for target in ("i8", "i16", "i32", "i64"):
        w.case("Cast", 9, [x], [number(target, np.trunc(x))], to=CODES[target])
    x = np.array([0.0, -0.0, 0.5, np.nan, np.inf])
    w.case("Cast", 13, [x], [number("bool", [0, 0, 1, 1, 1])], to=9)
    x = np.array([np.nan, np.inf, -np.inf])  # outside ONNX's definition: our choice is to saturate, NaN to 0
    for target, bits in (("i8", 8), ("i16", 16), ("i32", 32), ("i64", 64)):
        w.case("Cast", 13, [x], [number(target, [0, 2 ** (bits - 1) - 1, -(2 ** (bits - 1))])], to=CODES[target])
    for target, bits in (("u8", 8), ("u16", 16), ("u32", 32), ("u64", 64)):
        w.case("Cast", 13, [x], [number(target, [0, 2**bits - 1, 0])], to=CODES[target])
    w.case("Cast", 13, [number("f32", [300.0, -300.0, 255.0, 127.9])], [number("u8", [255, 0, 255, 127])], to=2)
    w.case("Cast", 13, [number("f64", [2.0**31, -(2.0**31), 2147483646.5])],
           [number("i32", [2**31 - 1, -(2**31), 2147483646])], to=6)
    w.case("Cast", 13, [number("i64", [2**32 + 5, -1, 300])], [number("i32", [5, -1, 300])], to=6)
    w.case("Cast", 13, [number("i32", [300, -1])], [number("u8", [44, 255])], to=2)
    w.case("Cast", 13, [number("i64", [2**40, -1])], [number("bool", [1, 1])], to=9)
    w.case("Cast", 13, [number("f32", [2049.0, 2051.0, 65519.0, 65520.0, 1e-8])],
           [number("f16", [2048.0, 2052.0, 65504.0, np.inf, 0.0])], to=10)
    w.case("Cast", 13, [number("f64", [1 + 2.0**-11 + 2.0**-40])], [number("f16", [1 + 2.0**-10])],
           to=10)  # rounds once
    w.case("Cast", 13, [number("f32", [1 + 2.0**-8, 1 + 3 * 2.0**-8, 3.3e38])],
           [number("bf16", [1.0, 1 + 2.0**-6, 3.2962e38])], to=16)
    w.case("Cast", 13, [np.zeros((0, 2))], [number("i32", np.zeros((0, 2)))], to=6)


def cast_like():
    for target in CODES:
        result = [0, 1, 1] if target == "bool" else [0, 3, 100]
        w.case("CastLike", 15, [number("i32", [0, 3, 100]), number(target, np.zeros((2, 0)))], [number(target, result)])
    w.case("CastLike", 19, [np.array([1.5, -2.75]), number("i64", 0)], [number("i64", [1, -2])])
