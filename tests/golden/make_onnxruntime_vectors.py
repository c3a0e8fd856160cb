"""Writes onnxruntime_vectors.txt beside this file: cases of com.microsoft ops with the results of ONNX Runtime, in the format of vectors.py. Run
in an environment with onnx, onnxruntime and NumPy. Integers are short and scales not, as in models; floats are multiples of 1/16.
"""
import pathlib

import numpy as np
import onnx
import onnxruntime
from onnx import helper, numpy_helper

from vectors import Writer, _random, absent, number, real

TYPES = {"f32": np.float32, "f16": np.float16, "i8": np.int8, "u8": np.uint8, "i16": np.int16, "u16": np.uint16, "i32": np.int32,
         "i64": np.int64}
NAMES = {np.dtype(t): name for name, t in TYPES.items()}
w = Writer()


def run(op, inputs, outputs, attrs):
    names = ["" if isinstance(x, absent) else f"x{i}" for i, x in enumerate(inputs)]
    arrays = {n: np.array(x.values, dtype=object).reshape(x.shape).astype(TYPES[x.dtype]) for n, x in zip(names, inputs) if n}
    given = [helper.make_tensor_value_info(n, helper.np_dtype_to_tensor_dtype(a.dtype), a.shape) for n, a in arrays.items()]
    results = [f"y{i}" for i in range(outputs)]
    node = helper.make_node(op, names, results, domain="com.microsoft", **{k.rstrip("_"): v for k, v in attrs.items()})
    # Weights have to be known for some kernels: all but the first operand are initialisers.
    first = given[:1]
    constants = [numpy_helper.from_array(a, n) for n, a in list(arrays.items())[1:]]
    graph = helper.make_graph([node], "g", first, [onnx.ValueInfoProto(name=r) for r in results], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21), helper.make_opsetid("com.microsoft", 1)], ir_version=10)
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    return session.run(None, {first[0].name: arrays[first[0].name]})


def case(op, inputs, outputs=1, scale=None, **attrs):
    results = run(op, inputs, outputs, attrs)
    w.case("com.microsoft." + op, 1, inputs, [number(NAMES[y.dtype], y) for y in results], scale=scale, **attrs)


def codes(dtype, shape):
    low = -128 if dtype == "i8" else 0
    count = int(np.prod(shape, dtype=np.int64))
    return number(dtype, (np.floor(_random(count) * 256) + low).astype(int).reshape(shape))


def reals(shape, low=-2, high=2, dtype="f32"):
    return number(dtype, real(shape, low, high))


def f32(values):
    return number("f32", np.float32(values).astype(float))


def elementwise():
    for dtype in ("u8", "i8"):
        zero = 7 if dtype == "u8" else -3
        for op, scales in (("QLinearAdd", (0.013, 0.029, 0.037)), ("QLinearMul", (0.013, 0.029, 0.07))):
            for a, b in [((3, 5), (3, 5)), ((2, 3, 4), (4,)), ((1,), (7,)), ((2, 1, 3), (5, 1))]:
                sa, sb, sc = (f32(s) for s in scales)
                case(op, [codes(dtype, a), sa, number(dtype, zero), codes(dtype, b), sb, number(dtype, 11), sc, number(dtype, 5)])
        case("QLinearSigmoid", [codes(dtype, (61,)), f32(0.043), number(dtype, zero), f32(0.0039), number(dtype, 1)])
        case("QLinearLeakyRelu", [codes(dtype, (61,)), f32(0.043), number(dtype, zero), f32(0.031), number(dtype, 1)])
        case("QLinearLeakyRelu", [codes(dtype, (2, 31)), f32(0.043), number(dtype, zero), f32(0.031), number(dtype, 1)], alpha=0.25)
        for axis, shapes in ((1, [(2, 3, 2), (2, 1, 2), (2, 4, 2)]), (0, [(2, 3), (1, 3)]), (-1, [(2, 3), (2, 5)])):
            inputs = [f32(0.041), number(dtype, 9)]
            for i, shape in enumerate(shapes):
                inputs += [codes(dtype, shape), f32(0.03 + 0.007 * i), number(dtype, zero + i)]
            concat(inputs, axis)


def concat(inputs, axis):
    """The scale of the result comes first and is a constant, so that one of the tensors has to be the input."""
    results = run_with_input("QLinearConcat", inputs, 2, dict(axis=axis))
    w.case("com.microsoft.QLinearConcat", 1, inputs, [number(NAMES[y.dtype], y) for y in results], axis=axis)


def run_with_input(op, inputs, which, attrs):
    arrays = [np.array(x.values, dtype=object).reshape(x.shape).astype(TYPES[x.dtype]) for x in inputs]
    names = [f"x{i}" for i in range(len(inputs))]
    node = helper.make_node(op, names, ["y"], domain="com.microsoft", **attrs)
    first = helper.make_tensor_value_info(names[which], helper.np_dtype_to_tensor_dtype(arrays[which].dtype), arrays[which].shape)
    constants = [numpy_helper.from_array(a, n) for i, (n, a) in enumerate(zip(names, arrays)) if i != which]
    graph = helper.make_graph([node], "g", [first], [onnx.ValueInfoProto(name="y")], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21), helper.make_opsetid("com.microsoft", 1)], ir_version=10)
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    return session.run(None, {names[which]: arrays[which]})


def pools():
    for dtype in ("u8", "i8"):
        zero = number(dtype, 7)
        for shape, attrs in [((1, 2, 5, 5), dict(kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1])),
                             ((1, 2, 5, 4), dict(kernel_shape=[2, 2], pads=[1, 1, 0, 0], count_include_pad=1)),
                             ((2, 4, 4, 3), dict(kernel_shape=[2, 3], channels_last=1, strides=[2, 1])),
                             ((1, 3, 7), dict(kernel_shape=[3], ceil_mode=1, strides=[2]))]:
            case("QLinearAveragePool", [codes(dtype, shape), f32(0.0437), zero, f32(0.0371), number(dtype, 3)], **attrs)
        for shape, last in [((2, 3, 4, 5), 0), ((2, 4, 5, 3), 1), ((1, 65, 3, 3), 0)]:
            case("QLinearGlobalAveragePool", [codes(dtype, shape), f32(0.0437), zero, f32(0.0371), number(dtype, 3)], channels_last=last)
        for shape, attrs in [((1, 5, 5, 3), dict(kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1])),
                             ((2, 6, 4, 17), dict(kernel_shape=[2, 2])), ((1, 7, 7, 2), dict(kernel_shape=[2, 2], dilations=[2, 3]))]:
            case("NhwcMaxPool", [codes(dtype, shape)], **attrs)


def products():
    for a_type, b_type in [("u8", "u8"), ("u8", "i8"), ("i8", "i8")]:
        for a, b in [((3, 5), (5, 4)), ((2, 3, 8), (8, 7)), ((2, 2, 3), (2, 3, 5))]:
            n = b[-1]
            case("MatMulIntegerToFloat", [codes(a_type, a), codes(b_type, b), f32(0.013), f32(0.029), number(a_type, 5), number(b_type, 3)], scale=8.0)
            if len(b) == 2:
                case("MatMulIntegerToFloat", [codes(a_type, a), codes(b_type, b), f32(0.013), f32(np.arange(1, n + 1) * 0.01),
                                              number(a_type, 5), number(b_type, np.arange(n)), reals((n,))], scale=8.0)
    for b_type in ("u8", "i8"):
        for a, b in [((3, 5), (5, 4)), ((2, 3, 8), (8, 7))]:
            n = b[-1]
            case("DynamicQuantizeMatMul", [reals(a), codes(b_type, b), f32(0.029), number(b_type, 3)], scale=8.0)
            case("DynamicQuantizeMatMul", [reals(a), codes(b_type, b), f32(np.arange(1, n + 1) * 0.01), number(b_type, np.arange(n)), reals((n,))], scale=8.0)


def blocks():
    for bits in (4, 8):
        for n, k, block in [(3, 32, 16), (5, 64, 32), (4, 48, 32)]:
            per_column, blob = -(-k // block), block * bits // 8
            weights, scales = codes("u8", (n, per_column, blob)), number("f32", np.abs(real((n * per_column,), 0.125, 2)))
            attrs = dict(N=n, K=k, block_size=block, bits=bits)
            size = float(k * 2 * 2 * 2**bits)
            case("MatMulNBits", [reals((2, k)), weights, scales], scale=size, **attrs)
            zeros = codes("u8", (n * -(-per_column * bits // 8),))
            case("MatMulNBits", [reals((2, 3, k)), weights, scales, zeros], scale=size, **attrs)
            case("MatMulNBits", [reals((1, k)), weights, scales, zeros, absent(), reals((n,))], scale=size, **attrs)
    for bits in (4, 8):
        rows, columns, block = 6, 64, 32
        data = codes("u8", (rows, columns * bits // 8))
        scales = number("f32", np.abs(real((rows, columns // block), 0.125, 2)))
        indices = number("i64", [[0, 5], [-1, 2]])
        attrs = dict(block_size=block, bits=bits, gather_axis=0, quantize_axis=1)
        case("GatherBlockQuantized", [data, indices, scales], **attrs)
        zeros = codes("u8", (rows, -(-columns // block * bits // 8)))
        case("GatherBlockQuantized", [data, indices, scales, zeros], **attrs)


def linear():
    for dtype in ("u8", "i8", "u16", "i16"):
        case("QuantizeLinear", [reals((3, 4), -8, 8), f32(0.043), number(dtype, 5)])
        case("QuantizeLinear", [reals((3, 4), -8, 8), f32([0.043, 0.05, 0.06]), number(dtype, [5, 6, 7])], axis=0)
    for dtype in ("u8", "i8"):
        case("DequantizeLinear", [codes(dtype, (3, 4)), f32(0.043), number(dtype, 5)])
        case("DequantizeLinear", [codes(dtype, (3, 4)), f32([0.043, 0.05, 0.06]), number(dtype, [5, 6, 7])], axis=0)


def lstm():
    for dtype in ("u8", "i8"):
        zero = 128 if dtype == "u8" else 0
        for directions, direction in ((1, "forward"), (1, "reverse"), (2, "bidirectional")):
            steps, batch, inputs, hidden = 4, 1, 3, 5
            weights, state = codes(dtype, (directions, inputs, 4 * hidden)), codes(dtype, (directions, hidden, 4 * hidden))
            operands = [reals((steps, batch, inputs)), weights, state, reals((directions, 8 * hidden), -1, 1), absent(), absent(), absent(), absent(),
                        f32([0.011] * directions), number(dtype, [zero] * directions), f32([0.007] * directions), number(dtype, [zero] * directions)]
            case("DynamicQuantizeLSTM", operands, 3, scale=64.0, hidden_size=hidden, direction=direction)


def attention():
    for w_type in ("u8", "i8"):
        batch, rows, depth, heads, size = 2, 3, 4, 2, 3
        width = 3 * heads * size
        operands = [codes("u8", (batch, rows, depth)), codes(w_type, (depth, width)), reals((width,), -1, 1), f32(0.013), f32(0.021)]
        zeros = [number("u8", 128), number(w_type, 7)]
        for mask in (absent(), number("i32", [3, 2]), number("i32", [[1, 1, 1], [0, 1, 1]])):
            case("QAttention", operands + [mask] + zeros, scale=16.0, num_heads=heads)
        case("QAttention", operands + [absent()] + zeros, scale=16.0, num_heads=heads, unidirectional=1)
        columns = [f32(np.arange(1, width + 1) * 0.002)]
        case("QAttention", operands[:4] + columns + [absent(), zeros[0], number(w_type, np.arange(width))], scale=16.0, num_heads=heads)
        past = reals((2, batch, heads, 2, size))
        case("QAttention", operands + [absent()] + zeros + [past], 2, scale=16.0, num_heads=heads, unidirectional=1)


elementwise()
pools()
products()
blocks()
linear()
lstm()
attention()
w.save(pathlib.Path(__file__).with_name("onnxruntime_vectors.txt"))
