"""Reduce*, Softmax, LayerNormalization."""
import numpy as np

from vectors import absent, as_f32, number, real, w

REDUCE = {"ReduceSum": np.sum, "ReduceMean": np.mean, "ReduceMax": np.max, "ReduceMin": np.min}
MAPPED = {
    "ReduceProd": np.prod,
    "ReduceL1": lambda x, **how: np.sum(np.abs(x), **how),
    "ReduceL2": lambda x, **how: np.sqrt(np.sum(np.square(x), **how)),
    "ReduceSumSquare": lambda x, **how: np.sum(np.square(x), **how),
    "ReduceLogSum": lambda x, **how: np.log(np.sum(x, **how)),
    "ReduceLogSumExp": lambda x, **how: np.log(np.sum(np.exp(x), **how)),
}
ALL = {**REDUCE, **MAPPED}
DOMAIN = {"ReduceProd": (-2, 2), "ReduceLogSum": (0.25, 8)}
EMPTY = {"ReduceProd": 1.0, "ReduceL1": 0.0, "ReduceL2": 0.0, "ReduceSumSquare": 0.0, "ReduceLogSum": -np.inf,
         "ReduceLogSumExp": -np.inf}


def reduce_case(op, shape, axes, keep):
    x = real(shape, *DOMAIN.get(op, (-8, 8)))
    numpy_axes = None if axes is None else tuple(axes)
    result = ALL[op](x, axis=numpy_axes, keepdims=keep)
    scale = float(np.max(np.sum(np.abs(x), axis=numpy_axes))) if x.size and op in ("ReduceSum", "ReduceMean") else None
    attrs = {"keepdims": int(keep)}
    w.case(op, 13 if op == "ReduceSum" else 18, [x] if axes is None else [x, number("i64", axes)], [result], scale=scale, **attrs)
    listed = attrs if axes is None else {**attrs, "axes": list(axes)}
    w.case(op, 11, [x], [result], scale=scale, **listed)


def reductions():
    for op in REDUCE:
        for shape, axes in [
            ((), None), ((5,), None), ((5,), [0]), ((2, 3), [0]), ((2, 3), [1]), ((2, 3), [-1]), ((2, 3), [0, 1]),
            ((2, 3, 4), [1]), ((2, 3, 4), [0, 2]), ((2, 3, 4), [-3, -1]), ((2, 1, 3, 1), [1, 2]), ((3, 41), [1]),
            ((41, 3), [0]), ((3, 70), [0]), ((2, 2, 2, 2, 2), [0, 2, 4]), ((2, 2, 2, 2, 2), [1, 3]), ((0, 3), [1]),
        ]:
            for keep in (True, False) if len(shape) < 4 and np.prod(shape) < 50 else (True,):
                reduce_case(op, shape, axes, keep)
        x = real((2, 3), -8, 8)
        none = number("i64", np.zeros(0))
        w.case(op, 18, [x, none], [x], noop_with_empty_axes=1)
        w.case(op, 18, [x], [x], noop_with_empty_axes=1)
        w.case(op, 18, [x, none], [np.reshape(REDUCE[op](x), (1, 1))], noop_with_empty_axes=0, scale=32)
        w.case(op, 18, [x, absent()], [np.reshape(REDUCE[op](x), (1, 1))], scale=32)
        x = np.array([1.0, np.nan, 3.0, -np.inf])
        w.case(op, 18, [x], [REDUCE[op](x)], keepdims=0)
    empty_reductions()
    integer_reductions()
    mapped_reductions()


def mapped_reductions():
    for op, f in MAPPED.items():
        for shape, axes in [((), None), ((5,), None), ((2, 3), [0]), ((2, 3), [-1]), ((2, 3, 4), [1]), ((2, 3, 4), [0, 2]),
                            ((3, 41), [1]), ((41, 3), [0]), ((0, 3), [1])]:
            reduce_case(op, shape, axes, len(shape) != 2)
        x = real((2, 3), 0.25, 2)
        w.case(op, 18, [x], [f(x[..., None], axis=-1)], noop_with_empty_axes=1)
        nothing = np.zeros((2, 0))
        w.case(op, 18, [nothing, number("i64", [1])], [np.full((2, 1), EMPTY[op])])
        x = np.array([[1.0, np.nan], [np.inf, 2.0]])
        w.case(op, 18, [x, number("i64", [1])], [f(x, axis=1, keepdims=True)])
        for dtype in ("i32", "i64", "u32", "u64"):
            x = np.array([[1, 2, 3], [4, 5, 7]])
            w.case(op, 18, [number(dtype, x), number("i64", [1])], [number(dtype, np.trunc(f(x, axis=1)))], keepdims=0)
    w.case("ReduceL1", 18, [number("i32", [-3, 5, -(2**31)])], [number("i32", [8 - 2**31])])
    w.case("ReduceProd", 18, [number("i32", [2**16, 2**15, 3])], [number("i32", [-(2**31)])])
    w.case("ReduceSumSquare", 18, [number("i64", [-3, 2**31])], [number("i64", [9 + 2**62])])
    w.case("ReduceLogSumExp", 18, [np.array([1000.0, 1000.0])], [np.array([1000.0 + np.log(2.0)])])
    w.case("ReduceLogSumExp", 18, [np.array([-np.inf, -np.inf])], [np.array([-np.inf])])


def empty_reductions():
    nothing = np.zeros((2, 0))
    for op, value in (("ReduceSum", 0.0), ("ReduceMean", np.nan), ("ReduceMax", -np.inf), ("ReduceMin", np.inf)):
        w.case(op, 18, [nothing, number("i64", [1])], [np.full((2, 1), value)])
        w.case(op, 18, [nothing], [np.array(value)], keepdims=0)
        w.case(op, 18, [nothing, number("i64", [0])], [np.zeros((1, 0))])
    for op, low, high in (("ReduceMax", 0, -(2**31)), ("ReduceMin", 255, 2**31 - 1)):
        w.case(op, 18, [number("u8", nothing), number("i64", [1])], [number("u8", [[low], [low]])])
        w.case(op, 18, [number("i32", nothing), number("i64", [1])], [number("i32", [[high], [high]])])
        w.case(op, 20, [number("bool", nothing), number("i64", [1])], [number("bool", [[low != 0], [low != 0]])])
    w.case("ReduceSum", 13, [number("i64", nothing), number("i64", [1])], [number("i64", [[0], [0]])])


def integer_reductions():
    for dtype in ("i32", "i64", "u32", "u64"):
        x = np.array([[1, 2, 3], [4, 5, 7]])
        for op, f in REDUCE.items():
            w.case(op, 18, [number(dtype, x), number("i64", [1])], [number(dtype, np.trunc(f(x, axis=1)))], keepdims=0)
    w.case("ReduceSum", 13, [number("i32", [2**31 - 1, 1])], [number("i32", [-(2**31)])])
    w.case("ReduceMean", 13, [number("i32", [-3, -4])], [number("i32", [-3])])
    w.case("ReduceMax", 20, [number("bool", [[0, 1], [0, 0]]), number("i64", [1])], [number("bool", [[1], [0]])])
    w.case("ReduceMin", 20, [number("bool", [[0, 1], [1, 1]]), number("i64", [1])], [number("bool", [[0], [1]])])
    w.case("ReduceMax", 18, [number("i8", [-128, 127, 3])], [number("i8", [127])])


def softmax_of(x, axis):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)


def softmax():
    for shape, axis in [((1,), 0), ((5,), -1), ((2, 3), 1), ((2, 3), 0), ((2, 3, 4), 1), ((2, 3, 4), -3), ((3, 70), 0),
                        ((2, 37), -1)]:
        x = real(shape, -8, 8)
        w.case("Softmax", 13, [x], [softmax_of(x, axis)], axis=axis)
    for version in (7, 11):
        for shape, axis in [((2, 3), 1), ((2, 3, 4), 1), ((2, 3, 4), 0), ((2, 3, 4), 2)]:
            x = real(shape, -8, 8)
            flat = softmax_of(x.reshape(int(np.prod(shape[:axis])), -1), 1)
            w.case("Softmax", version, [x], [flat.reshape(shape)], axis=axis)
    x = real((2, 3), -8, 8)
    w.case("Softmax", 13, [x], [softmax_of(x, -1)])
    w.case("Softmax", 11, [x], [softmax_of(x, 1)])
    w.case("Softmax", 11, [x], [softmax_of(x.reshape(1, 6), 1).reshape(2, 3)], axis=-2)
    for shape in [(0, 3), (3, 0)]:
        w.case("Softmax", 13, [np.zeros(shape)], [np.zeros(shape)])
    x = np.array([[np.nan, 1.0], [-np.inf, 0.0], [-np.inf, -np.inf]])
    w.case("Softmax", 13, [x], [np.array([[np.nan, np.nan], [0.0, 1.0], [np.nan, np.nan]])])


def layer_normalization():
    def one(shape, axis, scale_shape=None, bias_shape=None, outputs=1, epsilon=None):
        x, tail = real(shape, -8, 8), shape[axis:]
        scale = real(tail if scale_shape is None else scale_shape, -2, 2)
        bias = None if bias_shape is False else real(tail if bias_shape is None else bias_shape, -2, 2)
        axes = tuple(range(axis % len(shape), len(shape)))
        mean = np.mean(x, axis=axes, keepdims=True)
        inverse = 1 / np.sqrt(np.mean((x - mean) ** 2, axis=axes,
                                      keepdims=True) + (as_f32(1e-5) if epsilon is None else as_f32(epsilon)))
        y = (x - mean) * inverse * scale + (0 if bias is None else bias)
        attrs = {"axis": axis, **({} if epsilon is None else {"epsilon": epsilon})}
        results = [y, number("f32", mean), number("f32", inverse)][:outputs]
        size = 6 * 4  # results of up to 4, and five roundings before the last
        w.case("LayerNormalization", 17, [x, scale] + ([] if bias is None else [bias]), results, scale=size, **attrs)

    one((2, 5), -1)
    one((2, 5), -1, bias_shape=False)
    one((3, 4, 5), -1, outputs=3)
    one((3, 4, 5), 1, outputs=2)
    one((3, 4, 5), 0, outputs=3)
    one((2, 3, 4), -1, scale_shape=(1,), bias_shape=(4,))
    one((2, 3, 4), 1, scale_shape=(4,), bias_shape=(3, 1))
    one((2, 3, 4), -1, scale_shape=(3, 1), bias_shape=(3, 4))
    one((2, 67), 1, epsilon=0.5)
    one((1, 1), -1, outputs=3)


def simplified_normalizations():
    def one(op, version, shape, axis, kept=False, epsilon=None):
        x, scale = real(shape, -8, 8), real(shape[axis:], -2, 2)
        axes = tuple(range(axis % len(shape), len(shape)))
        inverse = 1 / np.sqrt(np.mean(x * x, axis=axes, keepdims=True) + as_f32(1e-5 if epsilon is None else epsilon))
        results = [x * inverse * scale] + ([number("f32", inverse)] if kept else [])
        w.case(op, version, [x, scale], results, scale=24.0, axis=axis, **({} if epsilon is None else {"epsilon": epsilon}))

    for shape, axis in (((2, 5), -1), ((3, 4, 5), 1), ((3, 4, 5), 0), ((1, 1), -1), ((2, 67), -1)):
        one("RMSNormalization", 23, shape, axis)
        one("SimplifiedLayerNormalization", 20, shape, axis, kept=True, epsilon=0.5)
    x, scale = np.array([[3.0, 4.0], [-1.0, 1.0]]), np.array([2.0, -0.5])
    y = x / np.sqrt(np.mean(x * x, axis=-1, keepdims=True) + as_f32(1e-5)) * scale
    for a, b in (("f16", "f32"), ("f32", "f16"), ("bf16", "f64")):  # the scale has the type of the result
        w.case("RMSNormalization", 23, [number(a, x), number(b, scale)], [number(b, y)])


def skip_normalizations():
    def one(centred, shape, skip_shape=None, beta=False, bias=False, outputs=4):
        x, skip, gamma = real(shape, -4, 4), real(skip_shape or shape, -4, 4), real(shape[-1:], -2, 2)
        more = [real(shape[-1:], -2, 2) if wanted else absent() for wanted in ([beta, bias] if centred else [bias])]
        total = x + skip + (more[-1] if bias else 0)
        mean = np.mean(total, axis=-1, keepdims=True) if centred else np.zeros(shape[:-1] + (1,))
        inverse = 1 / np.sqrt(np.mean((total - mean) ** 2, axis=-1, keepdims=True) + as_f32(0.25))
        y = (total - mean) * inverse * gamma + (more[0] if centred and beta else 0)
        while more and isinstance(more[-1], absent):
            more.pop()
        name = "SkipLayerNormalization" if centred else "SkipSimplifiedLayerNormalization"
        results = [y, number("f32", mean), number("f32", inverse), total][:outputs]
        w.case("com.microsoft." + name, 1, [x, skip, gamma] + more, results, scale=24.0, epsilon=0.25)

    for centred in (True, False):
        one(centred, (2, 5), outputs=1)
        one(centred, (2, 3, 5), beta=True, bias=True)
        one(centred, (2, 3, 5), (1, 3, 5), beta=True)
        one(centred, (2, 3, 5), (3, 5), bias=True)
        one(centred, (2, 67))


def log_softmax():
    log_of = lambda x, axis: x - np.max(x, axis=axis, keepdims=True) - np.log(
        np.sum(np.exp(x - np.max(x, axis=axis, keepdims=True)), axis=axis, keepdims=True))
    for shape, axis in [((1,), 0), ((5,), -1), ((2, 3), 1), ((2, 3), 0), ((2, 3, 4), 1), ((2, 37), -1)]:
        x = real(shape, -8, 8)
        w.case("LogSoftmax", 13, [x], [log_of(x, axis)], axis=axis)
    x = real((2, 3, 4), -8, 8)
    w.case("LogSoftmax", 7, [x], [log_of(x.reshape(2, 12), 1).reshape(2, 3, 4)])
    w.case("LogSoftmax", 13, [np.array([1000.0, 0.0])], [np.array([0.0, -1000.0])])
    w.case("LogSoftmax", 13, [np.zeros((0, 3))], [np.zeros((0, 3))])


def hardmax():
    for shape, axis in [((5,), -1), ((2, 3), 0), ((2, 3, 4), 1)]:
        x = real(shape, -8, 8)
        hard = np.zeros(shape)
        np.put_along_axis(hard, np.expand_dims(np.argmax(x, axis=axis), axis), 1, axis=axis)
        w.case("Hardmax", 13, [x], [hard], axis=axis)
    w.case("Hardmax", 11, [np.array([[[1.0, 3.0], [3.0, 2.0]]])], [np.array([[[0.0, 1.0], [0.0, 0.0]]])])


def arg():
    for op, f in (("ArgMax", np.argmax), ("ArgMin", np.argmin)):
        for shape, axis in [((5,), 0), ((2, 3), 0), ((2, 3), 1), ((2, 3, 4), -2), ((0, 3), 1), ((2, 37), -1)]:
            x = np.round(real(shape, -3, 3))
            for keep in (0, 1):
                first = f(x, axis=axis, keepdims=bool(keep))
                last = x.shape[axis] - 1 - f(np.flip(x, axis), axis=axis, keepdims=bool(keep))
                for version in (7, 13):
                    w.case(op, version, [x], [number("i64", first)], axis=axis, keepdims=keep)
                w.case(op, 13, [x], [number("i64", last)], axis=axis, keepdims=keep, select_last_index=1)
        w.case(op, 13, [np.array([1.0, np.nan, 5.0, np.nan, -np.inf])], [number("i64", [1])])
        w.case(op, 13, [number("u8", [[3, 200, 200, 1, 1]])], [number("i64", [[1 if op == "ArgMax" else 3]])], axis=1)
        w.case(op, 13, [number("i64", [2**62, -(2**63), 2**62 + 1])], [number("i64", [2 if op == "ArgMax" else 1])])


def cum_sum():
    for shape, axis in [((5,), 0), ((2, 3), 1), ((2, 3), 0), ((2, 3, 4), -2), ((0, 3), 1)]:
        for exclusive in (0, 1):
            for reverse in (0, 1):
                x = real(shape, -8, 8)
                turned = np.flip(x, axis) if reverse else x
                sums = np.cumsum(turned, axis=axis) - (turned if exclusive else 0)
                w.case("CumSum", 14, [x, number("i64", axis)], [np.flip(sums, axis) if reverse else sums], exclusive=exclusive, reverse=reverse)
    w.case("CumSum", 11, [number("i32", [2**31 - 1, 1, 1]), number("i32", [0])], [number("i32", [2**31 - 1, -(2**31), 1 - 2**31])])


def top_k():
    for shape, axis, k in [((5,), 0, 3), ((3, 4), 1, 4), ((3, 4), 0, 2), ((2, 7, 3), -2, 5), ((3, 4), 1, 0), ((2, 19), 1, 19)]:
        x = np.round(real(shape, -4, 4))
        for largest in (1, 0):
            order = np.argsort(-x if largest else x, axis=axis, kind="stable")
            order = np.take(order, np.arange(k), axis=axis)
            values = np.take_along_axis(x, order, axis=axis)
            w.case("TopK", 11, [x, number("i64", [k])], [values, number("i64", order)], axis=axis, largest=largest)
            if largest:
                w.case("TopK", 10, [x, number("i64", [k])], [values, number("i64", order)], axis=axis)
                if k:
                    w.case("TopK", 7, [x], [values, number("i64", order)], axis=axis, k=k)
    w.case("TopK", 11, [number("i64", [3, 2**62, -5, 7]), number("i64", [2])], [number("i64", [2**62, 7]), number("i64", [1, 3])])
    w.case("TopK", 11, [np.array([1.0, np.nan, 3.0]), number("i64", [2])], [np.array([np.nan, 3.0]), number("i64", [1, 2])])
