"""Where and Cast."""
import numpy as np

import small_floats
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
SMALL_CODES = {"f8_e4m3fn": 17, "f8_e4m3fnuz": 18, "f8_e5m2": 19, "f8_e5m2fnuz": 20, "u4": 21, "i4": 22, "f4_e2m1fn": 23,
               "f8_e8m0fnu": 24, "u2": 25, "i2": 26}


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


def wrapped(values, bits, signed):
    """The low bits of numbers whose fraction is cut off."""
    low = [int(v) % 2**bits for v in values]
    return [v - 2**bits if signed and v >= 2 ** (bits - 1) else v for v in low]


def cast_small():
    for name in small_floats.FORMATS:
        numbers = small_floats.numbers(name)
        x = numbers + small_floats.between(name) + [1e30, np.inf]
        x = x + [-v for v in x] + [np.nan]
        for saturate in (1, 0):
            y = [small_floats.rounded(v, name, saturate) for v in x]
            w.case("Cast", 25, [number("f32", x)], [number(name, y)], to=SMALL_CODES[name], saturate=saturate)
        for target in ("f32", "f16", "f64"):
            signed = numbers + [-v for v in numbers if v or name in small_floats.MINUS_ZERO]
            w.case("Cast", 25, [number(name, signed)], [number(target, signed)], to=CODES[target])
        w.case("Cast", 25, [number(name, [0, 1, -2, 0.5])], [number("bool", [0, 1, 1, 1])], to=9)
        w.case("Cast", 25, [number(name, [0, 1, -3, 4])], [number("i64", [0, 1, -3, 4])], to=7)
        w.case("Cast", 25, [number("i64", [0, 1, -3, 4])], [number(name, [0, 1, -3, 4])], to=SMALL_CODES[name])
    w.case("Cast", 25, [number("f8_e5m2", [np.inf, -np.inf, np.nan])], [number("f32", [np.inf, -np.inf, np.nan])], to=1)
    x = [-20, -9, -8, -3, -2, -1, 0, 1, 2, 3, 4, 7, 8, 15, 16, 100, 255]
    for name, bits, signed in (("i4", 4, True), ("u4", 4, False), ("i2", 2, True), ("u2", 2, False)):
        y = wrapped(x, bits, signed)
        for source in ("f32", "f16", "bf16", "i16", "i32", "i64"):
            w.case("Cast", 25, [number(source, x)], [number(name, y)], to=SMALL_CODES[name])
        for target in ("f32", "f16", "i8", "i64", "f64"):
            w.case("Cast", 25, [number(name, y)], [number(target, y)], to=CODES[target])
        w.case("Cast", 25, [number(name, y)], [number("u16", wrapped(y, 16, False))], to=CODES["u16"])
        w.case("Cast", 25, [number("f32", [0.9, -0.9, 1.5, np.nan])], [number(name, [0, 0, 1, 0])], to=SMALL_CODES[name])
        w.case("Cast", 25, [number("i64", [2**40 + 1, -1])], [number(name, wrapped([1, -1], bits, signed))],
               to=SMALL_CODES[name])
    w.case("Cast", 25, [number("i4", [-8, 7, 3])], [number("f8_e4m3fn", [-8, 7, 3])], to=17)
    w.case("Cast", 25, [number("f8_e5m2", [-2, 1.75, 3])], [number("i2", [-2, 1, -1])], to=26)
    powers()


def powers():
    smallest, largest = 2.0**-127, 2.0**127
    x = [smallest, 2.0**-126, 0.5, 1, 1.25, 1.5, 1.75, 3, 2.0**100, largest]
    for mode, y in (("up", [smallest, 2.0**-126, 0.5, 1, 2, 2, 2, 4, 2.0**100, largest]),
                    ("down", [smallest, 2.0**-126, 0.5, 1, 1, 1, 1, 2, 2.0**100, largest]),
                    ("nearest", [smallest, 2.0**-126, 0.5, 1, 1, 2, 2, 4, 2.0**100, largest])):
        for saturate in (1, 0):
            below, beyond = (smallest, largest) if saturate else (np.nan, np.nan)
            w.case("Cast", 25, [number("f32", x + [0, 2.0**-130, np.inf, np.nan])],
                   [number("f8_e8m0fnu", y + [below, below, beyond, np.nan])], to=24, saturate=saturate, round_mode=mode)
    w.case("Cast", 25, [number("f32", [1.25 * largest])], [number("f8_e8m0fnu", [largest])], to=24)
    w.case("Cast", 25, [number("f32", [1.25 * largest])], [number("f8_e8m0fnu", [np.nan])], to=24, saturate=0)
    w.case("Cast", 25, [number("f8_e8m0fnu", [smallest, 1, 2.0**100])], [number("f64", [smallest, 1, 2.0**100])], to=11)
