"""Element-wise ops: unary, binary, variadic."""
import math

import numpy as np

from vectors import absent, as_f32, number, real, w


def by_element(f):
    return lambda x: np.array([f(float(v)) for v in np.ravel(x)]).reshape(np.shape(x))


SELU = [as_f32(1.67326319217681884765625), as_f32(1.05070102214813232421875)]
UNARY = {
    "Relu": (14, lambda x: np.where(np.isnan(x), x, np.maximum(x, 0)), (-8, 8)),
    "LeakyRelu": (16, lambda x: np.where(x < 0, x * as_f32(0.01), x), (-8, 8)),
    "Sigmoid": (13, lambda x: 1 / (1 + np.exp(-x)), (-8, 8)),
    "Tanh": (13, np.tanh, (-8, 8)),
    "Exp": (13, np.exp, (-8, 8)),
    "Log": (13, np.log, (0.0625, 8)),
    "Sqrt": (13, np.sqrt, (0, 8)),
    "Neg": (13, np.negative, (-8, 8)),
    "Abs": (13, np.abs, (-8, 8)),
    "Erf": (13, by_element(math.erf), (-4, 4)),
    "Reciprocal": (13, np.reciprocal, (0.125, 8)),
    "HardSigmoid": (6, lambda x: np.clip(as_f32(0.2) * x + 0.5, 0, 1), (-8, 8)),
    "HardSwish": (14, lambda x: x * np.clip(x + 3, 0, 6) / 6, (-8, 8)),
    "Elu": (6, lambda x: np.where(x < 0, np.expm1(x), x), (-8, 8)),
    "Selu": (6, lambda x: SELU[1] * np.where(x < 0, SELU[0] * np.expm1(x), x), (-8, 8)),
    "Celu": (12, lambda x: np.where(x < 0, np.expm1(x), x), (-8, 8)),
    "Softplus": (1, lambda x: np.log1p(np.exp(x)), (-8, 8)),
    "Softsign": (1, lambda x: x / (1 + np.abs(x)), (-8, 8)),
    "Shrink": (9, lambda x: np.where(np.abs(x) > 0.5, x, 0), (-8, 8)),
    "ThresholdedRelu": (10, lambda x: np.where(x <= 1, 0, x), (-8, 8)),
    "Mish": (18, lambda x: x * np.tanh(np.log1p(np.exp(x))), (-8, 8)),
    "Swish": (24, lambda x: x / (1 + np.exp(-x)), (-8, 8)),
    "Sign": (13, np.sign, (-8, 8)),
    "Floor": (13, np.floor, (-8, 8)),
    "Ceil": (13, np.ceil, (-8, 8)),
    "Round": (11, np.round, (-8, 8)),
    "Sin": (7, np.sin, (-8, 8)),
    "Cos": (7, np.cos, (-8, 8)),
    "Tan": (7, np.tan, (-1.5, 1.5)),
    "Asin": (7, np.arcsin, (-1, 1)),
    "Acos": (7, np.arccos, (-1, 1)),
    "Atan": (7, np.arctan, (-8, 8)),
    "Sinh": (9, np.sinh, (-8, 8)),
    "Cosh": (9, np.cosh, (-8, 8)),
    "Asinh": (9, np.arcsinh, (-8, 8)),
    "Acosh": (9, np.arccosh, (1, 8)),
    "Atanh": (9, np.arctanh, (-0.9375, 1)),
    "Clip": (13, lambda x: x, (-8, 8)),
    "Gelu": (20, by_element(lambda x: 0.5 * x * math.erfc(-x / math.sqrt(2))), (-4, 6)),
}
SPECIAL = np.array([-np.inf, -1.0, 0.0, 1.0, np.inf, np.nan])


def unary():
    for op, (version, f, domain) in UNARY.items():
        for shape in [(), (1,), (0,), (3, 0, 2), (7,), (2, 3, 5), (35,)]:
            x = real(shape, *domain)
            one = (lambda v: number("f32", v)) if op == "Celu" else (lambda v: v)  # the only type it has
            w.case(op, version, [one(x)], [one(f(x))], scale=2.0 if op == "HardSigmoid" else None)
        if op not in ("Gelu", "HardSwish", "Softsign", "Mish", "Swish", "Tan", "Sin", "Cos", "Acosh"):  # there an infinity meets 0
            w.case(op, version, [one(SPECIAL)], [one(f(SPECIAL))])
    x = real((2, 9), -8, 8)
    w.case("Shrink", 9, [x], [np.where(x < -1.5, x + 0.75, np.where(x > 1.5, x - 0.75, 0))], lambd=1.5, bias=0.75)
    for dtype in ("i8", "i16", "i32", "i64"):  # of the real result the fraction is cut off
        w.case("Shrink", 9, [number(dtype, [-3, -1, 0, 2])], [number(dtype, [-2, 0, 0, 1])], lambd=1.5, bias=1.0)
        w.case("Shrink", 9, [number(dtype, [-9, -2, -1, 1, 2, 9])], [number(dtype, [-7, 0, 0, 0, 0, 7])], lambd=1.5, bias=1.75)
    for dtype in ("u8", "u16", "u32", "u64"):
        w.case("Shrink", 9, [number(dtype, [0, 1, 2, 200])], [number(dtype, [0, 0, 0, 198])], lambd=1.5, bias=1.75)
    w.case("Shrink", 9, [number("i64", [2**53 + 1, -(2**62) - 1])], [number("i64", [2**53 + 1, -(2**62) - 1])])
    w.case("LeakyRelu", 7, [x], [np.where(x < 0, x * 0.25, x)], alpha=0.25)
    w.case("LeakyRelu", 13, [x], [np.where(x < 0, x * -2.0, x)], alpha=-2.0)
    w.case("Sigmoid", 7, [x], [1 / (1 + np.exp(-x))])
    w.case("HardSigmoid", 7, [x], [np.clip(0.25 * x - 0.125, 0, 1)], alpha=0.25, beta=-0.125)
    w.case("Elu", 7, [x], [np.where(x < 0, 0.25 * np.expm1(x), x)], alpha=0.25)
    w.case("Celu", 12, [number("f32", x)], [number("f32", np.where(x < 0, 2.5 * np.expm1(x / 2.5), x))], alpha=2.5)
    w.case("Selu", 7, [x], [0.75 * np.where(x < 0, 1.5 * np.expm1(x), x)], alpha=1.5, gamma=0.75)
    w.case("ThresholdedRelu", 10, [x], [np.where(x <= -2.5, 0, x)], alpha=-2.5)
    w.case("Swish", 24, [x], [x / (1 + np.exp(-1.5 * x))], alpha=1.5)
    w.case("Round", 22, [np.array([-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 2.75])], [np.array([-2.0, -2.0, 0.0, 0.0, 2.0, 2.0, 3.0])])
    far = np.array([-np.inf, np.inf, np.nan])
    w.case("Sin", 22, [far], [np.full(3, np.nan)])
    w.case("Cos", 22, [far], [np.full(3, np.nan)])
    w.case("Acosh", 22, [np.array([0.5, 1.0, np.inf])], [np.array([np.nan, 0.0, np.inf])])
    w.case("Softplus", 22, [np.array([-100.0, 100.0])], [np.array([math.exp(-100), 100.0])])
    for dtype in ("i8", "i16", "i32", "i64"):
        w.case("Sign", 13, [number(dtype, [-100, 0, 100, -1])], [number(dtype, [-1, 0, 1, -1])])
    w.case("Sign", 13, [number("u8", [0, 255])], [number("u8", [0, 1])])
    w.case("HardSwish", 14, [np.array([np.inf, -3.0, 3.0, np.nan])], [np.array([np.inf, 0.0, 3.0, np.nan])])
    w.case("Relu", 7, [x], [np.maximum(x, 0)])
    # x / 2 * (1 + tanh(u / 2)), which cancels, is x / (1 + e^-u).
    tanh_form = lambda x: x / (1 + np.exp(-math.sqrt(8 / math.pi) * (x + 0.044715 * x**3)))
    x = real((3, 11), -4, 6)
    w.case("Gelu", 20, [x], [tanh_form(x)], approximate="tanh")
    w.case("Gelu", 20, [x], [UNARY["Gelu"][1](x)], approximate="none")
    for dtype, low in (("i8", -128), ("i16", -(2**15)), ("i32", -(2**31)), ("i64", -(2**63))):
        x = number(dtype, [low, low + 1, -3, 0, 5, -low - 1])
        w.case("Neg", 13, [x], [number(dtype, [low, -low - 1, 3, 0, -5, low + 1])])
        w.case("Abs", 13, [x], [number(dtype, [low, -low - 1, 3, 0, 5, -low - 1])])
        w.case("Relu", 14, [x], [number(dtype, [0, 0, 0, 0, 5, -low - 1])])
    w.case("Abs", 13, [number("u32", [0, 2**32 - 1])], [number("u32", [0, 2**32 - 1])])
    w.case("Erf", 9, [number("i32", [-9, -1, 0, 1, 9])], [number("i32", [-1, 0, 0, 0, 1])])


def clip():
    x = real((3, 7), -8, 8)
    low, high = np.array(-2.5), np.array(3.25)
    w.case("Clip", 6, [x], [np.clip(x, -2.5, 3.25)], min=-2.5, max=3.25)
    w.case("Clip", 6, [x], [np.minimum(x, 1.5)], max=1.5)
    for version in (11, 12, 13):
        w.case("Clip", version, [x, low, high], [np.clip(x, low, high)])
        w.case("Clip", version, [x, low], [np.maximum(x, low)])
        w.case("Clip", version, [x, absent(), high], [np.minimum(x, high)])
    w.case("Clip", 13, [x, high, low], [np.full((3, 7), -2.5)])  # crossed: the upper bound wins
    w.case("Clip", 13, [np.array([np.nan, -np.inf, np.inf]), low, high], [np.array([np.nan, -2.5, 3.25])])
    for dtype in ("i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"):
        w.case("Clip", 13, [number(dtype, [0, 3, 7, 100]), number(dtype, 2), number(dtype, 50)], [number(dtype, [2, 3, 7, 50])])
    w.case("Clip", 13, [number("i64", [-(2**63), 2**63 - 1])], [number("i64", [-(2**63), 2**63 - 1])])


COMPARE = {
    "Equal": (19, np.equal), "Less": (13, np.less), "LessOrEqual": (16, np.less_equal), "Greater": (13, np.greater),
    "GreaterOrEqual": (16, np.greater_equal),
}
LOGIC = {"And": np.logical_and, "Or": np.logical_or, "Xor": np.logical_xor}


def compare():
    for op, (version, f) in COMPARE.items():
        for a_shape, b_shape in PAIRS:
            a, b = np.round(real(a_shape, -2, 2)), np.round(real(b_shape, -2, 2))
            w.case(op, version, [a, b], [number("bool", f(a, b))])
        a, b = SPECIAL.reshape(6, 1), np.append(SPECIAL, -0.0)
        w.case(op, version, [a, b], [number("bool", f(a, b))])
        for dtype, bits in (("i8", 8), ("u8", 8), ("i16", 16), ("u16", 16), ("i32", 32), ("u32", 32), ("i64", 64), ("u64", 64)):
            low, high = (0, 2**bits - 1) if dtype[0] == "u" else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
            values = [low, low + 1, high - 1, high, 3]
            table = [[bool(f(x, y)) for y in values] for x in values]
            w.case(op, version, [number(dtype, [[v] for v in values]), number(dtype, values)], [number("bool", table)])
    for dtype in ("bool", "i32", "i64"):
        w.case("Equal", 7, [number(dtype, [[0], [1]]), number(dtype, [0, 1])], [number("bool", [[1, 0], [0, 1]])])
    for op in ("Less", "Greater"):
        a, b = real((3, 4), -8, 8), real((4,), -8, 8)
        w.case(op, 7, [a, b], [number("bool", COMPARE[op][1](a, b))])
    for op, f in LOGIC.items():
        for a_shape, b_shape in PAIRS:
            a, b = real(a_shape, -2, 2) > 0, real(b_shape, -2, 2) > 0
            w.case(op, 7, [number("bool", a), number("bool", b)], [number("bool", f(a, b))])


def predicates():
    for shape in [(), (0,), (7,), (2, 3, 5)]:
        x = real(shape, -2, 2) > 0
        w.case("Not", 7, [number("bool", x)], [number("bool", np.logical_not(x))])
        x = real(shape, -8, 8)
        w.case("IsNaN", 20, [x], [number("bool", np.isnan(x))])
        w.case("IsInf", 20, [x], [number("bool", np.isinf(x))])
    for version in (9, 13, 20):
        w.case("IsNaN", version, [SPECIAL], [number("bool", np.isnan(SPECIAL))])
    for version in (10, 20):
        w.case("IsInf", version, [number("f32", SPECIAL)], [number("bool", np.isinf(SPECIAL))])
        w.case("IsInf", version, [number("f64", SPECIAL)], [number("bool", np.isposinf(SPECIAL))], detect_negative=0)
        w.case("IsInf", version, [number("f32", SPECIAL)], [number("bool", np.isneginf(SPECIAL))], detect_positive=0)
    w.case("IsInf", 20, [SPECIAL], [number("bool", np.zeros(6))], detect_positive=0, detect_negative=0)
    for dtype in ("f8_e4m3fn", "f8_e4m3fnuz", "f8_e5m2", "f8_e5m2fnuz"):
        w.case("IsNaN", 20, [number(dtype, [0.0, 1.5, np.nan, -4.0])], [number("bool", [0, 0, 1, 0])])
    w.case("IsInf", 20, [number("f8_e5m2", [-np.inf, 1.5, np.nan, np.inf])], [number("bool", [1, 0, 0, 1])])
    w.case("IsInf", 20, [number("f8_e4m3fn", [448.0, 1.5, np.nan])], [number("bool", [0, 0, 0])])


BINARY = {
    "Add": (14, np.add, (-8, 8)),
    "Sub": (14, np.subtract, (-8, 8)),
    "Mul": (14, np.multiply, (-8, 8)),
    "Div": (14, np.divide, (1, 8)),
    "Pow": (15, np.power, (0.25, 3)),
    "Max": (13, np.maximum, (-8, 8)),
    "Min": (13, np.minimum, (-8, 8)),
}
PAIRS = [
    ((), ()), ((3,), (3,)), ((2, 3), (3,)), ((2, 3), (2, 1)), ((2, 1, 4), (3, 1)), ((1,), (2, 3)), ((0, 3), (3,)),
    ((0,), (1,)), ((4, 1), (1, 5)), ((2, 3, 4), ()), ((), (2, 2)), ((1, 1, 1), (1, 1)),
    ((2, 1, 3, 1, 2), (1, 4, 1, 2, 1)), ((1, 2, 1, 2, 1, 2, 1, 2), (2, 1, 2, 1, 2, 1, 2, 1)), ((35,), (35,)),
    ((2, 19), (19,)),
]


def binary():
    for op, (version, f, domain) in BINARY.items():
        for a_shape, b_shape in PAIRS:
            a, b = real(a_shape, *domain), real(b_shape, *domain)
            w.case(op, version, [a, b], [f(a, b)], scale=8 if op in ("Add", "Sub") else None)
    for op, f in (("Add", lambda a, b: a + b), ("Sub", lambda a, b: a - b), ("Mul", lambda a, b: a * b)):
        for dtype, bits in (("i8", 8), ("u8", 8), ("i16", 16), ("u16", 16), ("i32", 32), ("u32", 32), ("i64", 64),
                            ("u64", 64)):
            low, high = (0, 2**bits - 1) if dtype[0] == "u" else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
            a, b = [low, high, high, 3, low + 7], [high, high, 1, 5, 2]
            wrap = lambda v: (v - low) % 2**bits + low
            w.case(op, 14, [number(dtype, a), number(dtype, b)], [number(dtype, [wrap(f(x, y)) for x, y in zip(a, b)])])
    w.case("Add", 7, [number("i32", [[1], [2]]), number("i32", [10, 20])], [number("i32", [[11, 21], [12, 22]])])
    division()
    bit_ops()
    rest()
    prelu()
    sums()
    power()
    extremes()


def division():
    for dtype in ("i8", "i16", "i32", "i64"):
        w.case("Div", 14, [number(dtype, [7, -7, 7, -7, 0]), number(dtype, [2, 2, -2, -2, 5])],
               [number(dtype, [3, -3, -3, 3, 0])])
    w.case("Div", 14, [number("i32", [-(2**31), -(2**31)]), number("i32", [-1, 1])],
           [number("i32", [-(2**31), -(2**31)])])
    w.case("Div", 14, [number("i64", [-(2**63)]), number("i64", [-1])], [number("i64", [-(2**63)])])
    w.case("Div", 14, [number("u8", [255, 7]), number("u8", [2, 9])], [number("u8", [127, 0])])
    w.case("Div", 14, [np.array([1.0, -1.0, 0.0]), np.array([0.0, 0.0, 0.0])], [np.array([np.inf, -np.inf, np.nan])])


def power():
    x = real((3, 5), -4, 4)
    w.case("Pow", 7, [x, np.array(2.0)], [x * x])
    w.case("Pow", 15, [x, number("i32", 3)], [x**3])
    w.case("Pow", 15, [x, number("i64", [0, 1, 2, 3, 2])], [x ** np.array([0, 1, 2, 3, 2])])
    w.case("Pow", 15, [x, number("u8", [[2], [1], [0]])], [x ** np.array([[2], [1], [0]])])
    w.case("Pow", 13, [number("i32", [2, -3, 10, 7]), number("i32", [10, 3, 9, 0])],
           [number("i32", [1024, -27, 10**9, 1])])
    w.case("Pow", 15, [number("i32", [2, 3]), number("i32", [33, 31])], [number("i32", [0, 3**31 % 2**32 - 2**32])])
    w.case("Pow", 15, [number("i64", [2, 1, -1, -1, 5]), number("i64", [-1, -5, -2, -3, 1])],
           [number("i64", [0, 1, 1, -1, 5])])
    w.case("Pow", 15, [number("i32", [4, 9, 2]), number("f32", [0.5, 1.5, -1.0])], [number("i32", [2, 27, 0])])
    w.case("Pow", 15, [number("i64", [3, 4]), number("f64", [2.0, 0.5])], [number("i64", [9, 2])])


def bit_ops():
    for dtype, width in (("i8", 8), ("u8", 8), ("i16", 16), ("u16", 16), ("i32", 32), ("u32", 32), ("i64", 64), ("u64", 64)):
        low, high = (0, 2**width - 1) if dtype[0] == "u" else (-(2 ** (width - 1)), 2 ** (width - 1) - 1)
        wrap = lambda v: (v - low) % 2**width + low
        a, b = [low, high, 12, high - 5], [high, 10]
        for op, f in (("BitwiseAnd", lambda x, y: x & y), ("BitwiseOr", lambda x, y: x | y), ("BitwiseXor", lambda x, y: x ^ y)):
            table = [[wrap(f(x, y)) for y in b] for x in a]
            w.case(op, 18, [number(dtype, [[v] for v in a]), number(dtype, b)], [number(dtype, table)])
        w.case("BitwiseNot", 18, [number(dtype, a)], [number(dtype, [wrap(~v) for v in a])])
        if dtype[0] != "u":
            continue
        shifts = [0, 1, width - 1, width]
        w.case("BitShift", 11, [number(dtype, [high] * 4), number(dtype, shifts)], [number(dtype, [(high << s) % 2**width for s in shifts])],
               direction="LEFT")
        w.case("BitShift", 11, [number(dtype, [high] * 4), number(dtype, shifts)], [number(dtype, [high >> s for s in shifts])],
               direction="RIGHT")


def rest():
    a, b = [7, -7, 7, -7, 0, 100], [3, 3, -3, -3, 5, -7]
    for dtype in ("i8", "i16", "i32", "i64"):
        w.case("Mod", 13, [number(dtype, a), number(dtype, b)], [number(dtype, np.mod(a, b))])
        w.case("Mod", 13, [number(dtype, a), number(dtype, b)], [number(dtype, np.fmod(a, b))], fmod=1)
        w.case("Mod", 13, [number(dtype, [-128]), number(dtype, [-1])], [number(dtype, [0])])
    w.case("Mod", 10, [number("u8", [200, 7]), number("u8", [[9], [7]])], [number("u8", [[2, 7], [4, 0]])])
    x, y = real((3, 4), -8, 8), real((4,), 0.5, 4)
    w.case("Mod", 13, [x, y], [np.fmod(x, y)], fmod=1)
    w.case("Mod", 13, [np.array([1.0, np.inf, 5.0]), np.array([0.0, 2.0, np.inf])], [np.array([np.nan, np.nan, 5.0])], fmod=1)


def prelu():
    for x_shape, slope_shape in [((3,), (3,)), ((2, 3, 4), (3, 1)), ((2, 3), ()), ((2, 5), (1, 5)), ((0, 3), (3,))]:
        x, slope = real(x_shape, -8, 8), real(slope_shape, -2, 2)
        for version in (9, 16):
            w.case("PRelu", version, [x, slope], [np.where(x < 0, x * slope, x)])
    w.case("PRelu", 16, [number("i32", [-3, 4]), number("i32", 5)], [number("i32", [-15, 4])])


def sums():
    a, b, c, d = real((2, 3), -8, 8), real((3,), -8, 8), real((2, 1), -8, 8), real((), -8, 8)
    for version in (8, 13):
        w.case("Sum", version, [a], [a])
        w.case("Sum", version, [a, b], [a + b], scale=8)
        w.case("Sum", version, [d, c, b, a], [a + b + c + d], scale=8)
        w.case("Mean", version, [a], [a])
        w.case("Mean", version, [a, b], [(a + b) / 2], scale=8)
        w.case("Mean", version, [c, b, a], [(a + b + c) / 3], scale=8)


def extremes():
    a, b, c, d = real((2, 3), -8, 8), real((3,), -8, 8), real((2, 1), -8, 8), real((), -8, 8)
    for op, f in (("Max", np.maximum), ("Min", np.minimum)):
        w.case(op, 13, [a], [a])
        w.case(op, 8, [a, b, c], [f(f(a, b), c)])
        w.case(op, 13, [d, c, b, a], [f(f(d, c), f(b, a))])
        x, y = np.array([np.nan, 1.0, np.inf, np.nan]), np.array([1.0, np.nan, -np.inf, np.nan])
        w.case(op, 13, [x, y], [f(x, y)])
        for dtype in ("i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"):
            p, q = [[3, 100]], [[100], [7]]
            w.case(op, 13, [number(dtype, p), number(dtype, q)], [number(dtype, f(np.array(p), np.array(q)))])
