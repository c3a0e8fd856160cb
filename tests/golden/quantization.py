"""QuantizeLinear, DequantizeLinear, DynamicQuantizeLinear, and products and convolutions of codes."""
import numpy as np

import small_floats
from conversions import CODES, SMALL_CODES
from vectors import absent, number, real, w

RANGES = {"i8": (-128, 127), "u8": (0, 255), "i16": (-32768, 32767), "u16": (0, 65535), "i4": (-8, 7), "u4": (0, 15),
          "i2": (-2, 1), "u2": (0, 3)}


def spread(values, shape, axis, block):
    """Scales or zero points as an array of the tensor's shape."""
    values = np.asarray(values, float)
    if values.size == 1 and block == 0:
        return np.broadcast_to(values.reshape(()), shape)
    if block == 0:
        return np.broadcast_to(values.reshape([-1 if d == axis % len(shape) else 1 for d in range(len(shape))]), shape)
    return np.take(np.repeat(values, block, axis), np.arange(shape[axis]), axis)


def codes(x, scale, zero, dtype, axis=1, block=0):
    s, z = spread(scale, x.shape, axis, block), spread(zero, x.shape, axis, block)
    if dtype in small_floats.FORMATS:
        return np.vectorize(lambda v: small_floats.rounded(v, dtype))(x / s + z)
    return np.clip(np.rint(x / s) + z, *RANGES[dtype])


def quantize():
    for dtype, (low, high) in RANGES.items():
        middle = (low + high + 1) // 2
        x = np.concatenate([real((21,), -8, 8), [0, -0.125, 0.125, 0.375, 7.5, -8, 1.5, 2.5, 3.5, -1.5, -2.5]])
        w.case("QuantizeLinear", 25, [x, np.array(0.25), number(dtype, middle)], [number(dtype, codes(x, 0.25, middle, dtype))])
        x = real((3, 4), -8, 8)
        w.case("QuantizeLinear", 25, [x, np.array([0.5, 2, 0.25]), number(dtype, [middle, low, high])],
               [number(dtype, codes(x, [0.5, 2, 0.25], [middle, low, high], dtype, 0))], axis=0)
        w.case("QuantizeLinear", 25, [x, np.array([0.5, 2, 0.25, 1])],
               [number(dtype, codes(x, [0.5, 2, 0.25, 1], 0, dtype))], axis=-1, output_dtype={**CODES, **SMALL_CODES}[dtype])
    for block, axis, shape in [(2, 1, (3, 4)), (2, 1, (3, 5)), (3, 0, (7, 2)), (4, -1, (2, 3, 9)), (1, 1, (2, 3)), (5, 1, (2, 3, 2))]:
        x = real(shape, -8, 8)
        blocks = [-(-n // block) if d == axis % len(shape) else n for d, n in enumerate(shape)]
        scale = 2.0 ** np.floor(real(blocks, -2, 2))
        zero = np.floor(real(blocks, -4, 4))
        w.case("QuantizeLinear", 21, [x, scale, number("i8", zero)], [number("i8", codes(x, scale, zero, "i8", axis, block))],
               axis=axis, block_size=block)
        y = np.floor(real(shape, -8, 8))
        w.case("DequantizeLinear", 21, [number("i4", y), scale, number("i4", zero)],
               [(y - spread(zero, shape, axis, block)) * spread(scale, shape, axis, block)], axis=axis, block_size=block)
    x = np.array([0.0, 1000, -1000, 3, 100, np.nan, np.inf, -np.inf])
    w.case("QuantizeLinear", 13, [number("f32", x), number("f32", 2.0), number("u8", 128)],
           [number("u8", [128, 255, 0, 130, 178, 128, 255, 0])])
    w.case("QuantizeLinear", 10, [number("i32", [7, -7, 9]), number("f32", 2.0)], [number("u8", [4, 0, 4])])
    # The quotient is rounded to f16 first: 2049 / 1 is 2048 there.
    w.case("QuantizeLinear", 25, [number("f32", [2049.0]), number("f32", 1.0), number("i16", 0)], [number("i16", [2048])],
           precision=10)
    w.case("QuantizeLinear", 25, [number("f32", [2049.0]), number("f16", 1.0), number("i16", 0)], [number("i16", [2048])])
    w.case("QuantizeLinear", 25, [number("f32", [2049.0]), number("f16", 1.0), number("i16", 0)], [number("i16", [2049])],
           precision=1)
    for name in small_floats.FORMATS:
        x = real((2, 17), -8, 8)
        w.case("QuantizeLinear", 25, [x, np.array(0.5), number(name, 0)], [number(name, codes(x, 0.5, 0, name))])
    w.case("QuantizeLinear", 25, [number("f32", [1e6, -1e6]), number("f32", 1.0), number("f8_e5m2", 0)],
           [number("f8_e5m2", [np.inf, -np.inf])], saturate=0)
    w.case("QuantizeLinear", 25, [number("f32", [3.0, 5.0]), number("f8_e8m0fnu", 2.0), number("i8", 1)], [number("i8", [3, 3])])
    w.case("QuantizeLinear", 13, [np.zeros((0, 2)), number("f32", 2.0)], [number("u8", np.zeros((0, 2)))])


def dequantize():
    for dtype, (low, high) in RANGES.items():
        x = np.array([low, high, 0, 1, (low + high) // 2, 0, 1])
        w.case("DequantizeLinear", 25, [number(dtype, x), np.array(0.25), number(dtype, 1)], [(x - 1) * 0.25])
        x = np.floor(np.clip(real((2, 3, 5), -8, 8), low, high))
        w.case("DequantizeLinear", 25, [number(dtype, x), np.array([0.5, 2, 0.25]), number(dtype, [1, 0, 1])],
               [(x - spread([1, 0, 1], x.shape, 1, 0)) * spread([0.5, 2, 0.25], x.shape, 1, 0)])
    x = np.array([-(2**20), 7, 2**24])
    w.case("DequantizeLinear", 13, [number("i32", x), number("f32", 0.125)], [number("f32", x * 0.125)])
    for name in small_floats.FORMATS:
        x = small_floats.numbers(name)[:9]
        w.case("DequantizeLinear", 25, [number(name, x), number("f32", 2.0), number(name, 0)], [number("f32", 2 * np.array(x))])
    w.case("DequantizeLinear", 25, [number("u8", [3, 5]), number("f8_e8m0fnu", 0.5)], [number("bf16", [1.5, 2.5])], output_dtype=16)
    w.case("DequantizeLinear", 25, [number("u8", [3, 5]), number("f32", 0.5)], [number("f16", [1.5, 2.5])], output_dtype=10)
    w.case("DequantizeLinear", 13, [number("i8", np.zeros((3, 0))), number("f32", [1.0, 2, 3])], [number("f32", np.zeros((3, 0)))],
           axis=0)


def dynamic():
    steps = np.arange(-100, 156) * 0.25
    for x in [steps, steps[::-1].reshape(2, 128), np.arange(0, 256) * 2.0, -np.arange(0, 256) * 0.5, np.zeros((2, 3)), np.zeros((0,)),
              np.array([-51.0, 204, 10.5, 10.4, 3.5]), np.float32([0.1, 0.7, -0.3])]:
        high, low = max(0, np.max(x, initial=0)), min(0, np.min(x, initial=0))
        scale = np.float32(high - low if high != low else 1) / np.float32(255)
        zero = np.clip(np.rint(np.float32(-low) / scale), 0, 255)
        y = np.clip(np.rint(np.float32(x) / scale) + zero, 0, 255)
        w.case("DynamicQuantizeLinear", 11, [number("f32", x)], [number("u8", y), number("f32", float(scale)), number("u8", zero)])


def byte_tensor(dtype, shape):
    low, high = RANGES[dtype]
    return np.floor(real(shape, low, high + 1)).astype(int)


def numbers_of(values, rows):
    """Numbers of rows or columns as NumPy broadcasts them: a vector of rows is a column."""
    values = np.asarray(values)
    return values.reshape(-1, 1) if rows and values.ndim == 1 and values.size > 1 else values


def products():
    for a_type, b_type in [("u8", "u8"), ("u8", "i8"), ("i8", "i8"), ("i8", "u8")]:
        for a_shape, b_shape in [((4, 3), (3, 2)), ((3,), (3,)), ((3,), (3, 4)), ((2, 3), (3,)), ((2, 5, 8), (8, 4)), ((3, 1, 2, 7), (2, 7, 5)),
                                 ((70, 300), (300, 20)), ((2, 0), (0, 3)), ((0, 3), (3, 2))]:
            a, b = byte_tensor(a_type, a_shape), byte_tensor(b_type, b_shape)
            w.case("MatMulInteger", 10, [number(a_type, a), number(b_type, b)], [number("i32", np.matmul(a, b))])
            az, bz = 12, 7
            y = np.matmul(a - az, b - bz)
            w.case("MatMulInteger", 10, [number(a_type, a), number(b_type, b), number(a_type, az), number(b_type, [bz])],
                   [number("i32", y)])
        a, b = byte_tensor(a_type, (3, 5)), byte_tensor(b_type, (5, 4))
        az, bz = np.array([1, 100, 3]), np.array([4, 0, 90, 1])
        w.case("MatMulInteger", 10, [number(a_type, a), number(b_type, b), number(a_type, az), number(b_type, bz)],
               [number("i32", (a - az[:, None]) @ (b - bz))])
        w.case("MatMulInteger", 10, [number(a_type, a), number(b_type, b), absent(), number(b_type, bz)], [number("i32", a @ (b - bz))])
        a, b = byte_tensor(a_type, (2, 3, 5)), byte_tensor(b_type, (2, 5, 4))
        az, bz = np.arange(6).reshape(2, 3, 1), np.arange(8).reshape(2, 1, 4)
        w.case("MatMulInteger", 10, [number(a_type, a), number(b_type, b), number(a_type, az), number(b_type, bz)],
               [number("i32", (a - az) @ (b - bz))])


def qlinear_products():
    for dtype in ("u8", "i8"):
        low, high = RANGES[dtype]
        for a_shape, b_shape, a_scale, b_scale in [((4, 3), (3, 2), 0.5, 0.25), ((3,), (3, 4), 2.0, 0.125), ((2, 5, 8), (8, 4), 0.5, 0.125),
                                                   ((3, 5), (5, 4), [0.5, 0.25, 1], [1, 0.5, 0.25, 2]),
                                                   ((2, 3, 5), (2, 5, 4), 0.25, [[[1, 0.5, 0.25, 2]], [[1, 1, 2, 4]]])]:
            a, b = byte_tensor(dtype, a_shape), byte_tensor(dtype, b_shape)
            az, bz = np.broadcast_to(3, np.shape(a_scale)), np.broadcast_to(5, np.shape(b_scale))
            total = np.matmul(a - 3, b - 5) * (numbers_of(a_scale, True) * numbers_of(b_scale, False)) / 16
            y = np.clip(np.rint(total) + 1, low, high)
            for real_type in ("f32", "f16", "bf16"):
                w.case("QLinearMatMul", 21, [number(dtype, a), number(real_type, a_scale), number(dtype, az), number(dtype, b),
                                             number(real_type, b_scale), number(dtype, bz), number(real_type, 16.0), number(dtype, 1)],
                       [number(dtype, y)])
    a, b = np.array([[1, -2, 0.5], [3, 4, -1.5]]), np.array([[2, 1], [0.25, -1], [-4, 2]])
    for dtype in ("f8_e4m3fn", "f8_e4m3fnuz", "f8_e5m2", "f8_e5m2fnuz"):
        w.case("QLinearMatMul", 21, [number(dtype, a), number("f32", 0.5), number(dtype, 0.0), number(dtype, b), number("f32", [2.0, 4.0]),
                                     number(dtype, np.zeros(2)), number("f32", 0.5), number(dtype, 0.0)],
               [number(dtype, a @ b * [2, 4])])
        w.case("QLinearMatMul", 21, [number(dtype, a), number("f32", 0.5), number(dtype, 0.0), number("i8", [[3], [4], [-5]]),
                                     number("f32", 2.0), number("i8", 1), number("f32", 0.5), number("i8", 3)],
               [number("i8", np.rint(a @ [[2], [3], [-6]] * 2) + 3)])


def convolve(x, weights, pads=(0, 0), stride=1, group=1):
    """Two spatial axes, the same padding on all sides."""
    x = np.pad(x, ((0, 0), (0, 0), (pads[0],) * 2, (pads[1],) * 2))
    m, c, kh, kw = weights.shape
    oh, ow = (x.shape[2] - kh) // stride + 1, (x.shape[3] - kw) // stride + 1
    y = np.zeros((x.shape[0], m, oh, ow), int)
    for o in range(m):
        g = o // (m // group)
        for i in range(oh):
            for j in range(ow):
                patch = x[:, g * c:(g + 1) * c, i * stride:i * stride + kh, j * stride:j * stride + kw]
                y[:, o, i, j] = (patch * weights[o]).sum(axis=(1, 2, 3))
    return y


def convolutions():
    for x_type, w_type in [("u8", "u8"), ("u8", "i8"), ("i8", "i8")]:
        for x_shape, w_shape, pads, stride, group in [((1, 1, 3, 3), (2, 1, 2, 2), (1, 1), 1, 1), ((2, 3, 5, 4), (4, 3, 3, 2), (1, 0), 2, 1),
                                                      ((1, 4, 6, 6), (6, 2, 3, 3), (0, 0), 1, 2), ((1, 2, 3, 3), (2, 1, 1, 1), (0, 0), 1, 2)]:
            x, weights = byte_tensor(x_type, x_shape), byte_tensor(w_type, w_shape)
            attrs = dict(pads=[pads[0], pads[1]] * 2, strides=[stride, stride], group=group)
            wz = np.arange(w_shape[0]) * 3
            y = convolve(x - 9, weights - wz[:, None, None, None], pads, stride, group)
            w.case("ConvInteger", 10, [number(x_type, x), number(w_type, weights), number(x_type, 9), number(w_type, wz)],
                   [number("i32", y)], **attrs)
            w.case("ConvInteger", 10, [number(x_type, x), number(w_type, weights)],
                   [number("i32", convolve(x, weights, pads, stride, group))], **attrs)
            bias, scales = np.arange(w_shape[0]) * 100 - 50, 2.0 ** -np.arange(w_shape[0])
            low, high = RANGES[x_type]
            coded = np.clip(np.rint((y + bias[:, None, None]) * scales[:, None, None] / 64) + 2, low, high)
            w.case("QLinearConv", 10, [number(x_type, x), number("f32", 0.25), number(x_type, 9), number(w_type, weights),
                                       number("f32", scales), number(w_type, wz), number("f32", 16.0), number(x_type, 2),
                                       number("i32", bias)], [number(x_type, coded)], **attrs)
