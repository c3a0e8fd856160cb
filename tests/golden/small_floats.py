"""Floats of 8 and 4 bits by their definition: all numbers of a format in order, and the nearest of them by search."""
import bisect

import numpy as np

# Bits of exponent and fraction, bias, codes at the end that are no numbers, what is beyond the largest.
FORMATS = {"f8_e4m3fn": (4, 3, 7, 1, np.nan), "f8_e4m3fnuz": (4, 3, 8, 0, np.nan), "f8_e5m2": (5, 2, 15, 4, np.inf),
           "f8_e5m2fnuz": (5, 2, 16, 0, np.nan), "f4_e2m1fn": (2, 1, 1, 0, None)}
MINUS_ZERO = ("f8_e4m3fn", "f8_e5m2", "f4_e2m1fn")


def _all(name):
    exponent, fraction, bias, _, _ = FORMATS[name]
    for code in range(2 ** (exponent + fraction) + 1):
        e, m = divmod(code, 2**fraction)
        yield m * 2.0 ** (1 - bias - fraction) if e == 0 else (1 + m / 2**fraction) * 2.0 ** (e - bias)


def numbers(name):
    """From zero to the largest; the index is the code."""
    return list(_all(name))[:-1 - FORMATS[name][3]]


def between(name):
    """Where rounding changes, exactly and one f32 beside it."""
    table = list(_all(name))[:len(numbers(name)) + 1]
    middles = np.array([(a + b) / 2 for a, b in zip(table, table[1:])], np.float32)
    beside = [np.nextafter(middles, np.float32(side)) for side in (0, np.inf)]
    return [float(v) for values in (middles, *beside) for v in values]


def rounded(x, name, saturate=True):
    table = list(_all(name))[:len(numbers(name)) + 1]
    largest = len(table) - 2
    if np.isnan(x):
        return np.nan if name != "f4_e2m1fn" else -0.0
    at = bisect.bisect_left(table, abs(x))
    if at > 0 and (at == len(table) or table[at] != abs(x)):
        below = abs(x) - table[at - 1]
        above = (table[at] if at < len(table) else np.inf) - abs(x)
        at -= below < above or (below == above and at % 2 == 1)
    beyond = FORMATS[name][4]
    y = table[at] if at <= largest else table[largest] if saturate or beyond is None else beyond
    if y == 0 and name not in MINUS_ZERO:
        return 0.0
    return -y if np.signbit(x) else y
