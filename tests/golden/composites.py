"""Ops that the plugin writes as one or several others (plugin/graph/composites.h), so that no host op has their name: graphs of
one node are run instead. In f32, whose roundings in between `scale` bounds: the largest number on the way.
"""
import math

import numpy as np

from attention import heads_of, joined, microsoft_scores
from vectors import absent, as_f32, number, real, w


def gelu(x):
    return x * 0.5 * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))


def fast_gelu(x):
    return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


def microsoft(name, ins, outs, scale=8.0, **attrs):
    while isinstance(ins[-1], absent):
        ins.pop()
    w.case("com.microsoft." + name, 1, ins, outs, scale=scale, **attrs)


def gelus():
    x, bias = real((2, 3, 8), -4, 4), real((8,), -4, 4)
    microsoft("Gelu", [x], [gelu(x)])
    microsoft("BiasGelu", [x, bias], [gelu(x + bias)])
    microsoft("FastGelu", [x], [fast_gelu(x)])
    microsoft("FastGelu", [x, bias], [fast_gelu(x + bias)])
    for alpha in (1.702, 0.5):
        microsoft("QuickGelu", [x], [x / (1 + np.exp(-as_f32(alpha) * x))], alpha=alpha)
    wide, wide_bias = real((2, 3, 16), -4, 4), real((16,), -2, 2)
    left, right = np.split(wide + wide_bias, 2, axis=-1)
    microsoft("BiasSplitGelu", [wide, wide_bias], [left * gelu(right)], scale=64.0)


def scatter():
    data, updates = real((3, 4), -4, 4), real((2, 3), -4, 4)
    index = np.array([[1, 0, 2], [0, 2, 1]])
    for axis in (0, 1):
        result = data.copy()
        np.put_along_axis(result[:, :3] if axis == 0 else result[:2], index, updates, axis)
        w.case("Scatter", 9 + axis, [data, number("i64" if axis else "i32", index), updates], [result], axis=axis)


def trilu():
    x = real((2, 4, 5), -4, 4)
    microsoft("Trilu", [x], [np.triu(x)])
    microsoft("Trilu", [x], [np.tril(x)], upper=0)
    microsoft("Trilu", [x, number("i64", -1)], [np.triu(x, -1)], upper=1)


ACTIVATIONS = [("Relu", [], lambda x: np.maximum(x, 0)), ("Sigmoid", [], lambda x: 1 / (1 + np.exp(-x))), ("Tanh", [], np.tanh),
               ("LeakyRelu", [0.125], lambda x: np.where(x < 0, x * 0.125, x)),
               ("HardSigmoid", [0.25, 0.5], lambda x: np.clip(0.25 * x + 0.5, 0, 1)), ("", [], lambda x: x)]


def fused_gemm():
    a, b, c = real((3, 4), -2, 2), real((4, 5), -2, 2), real((5,), -2, 2)
    for name, parameters, f in ACTIVATIONS:
        attrs = {"activation": name} if name else {}
        attrs.update(zip(("activation_alpha", "activation_beta"), parameters))
        microsoft("FusedGemm", [a, b, c], [f(a @ b + c)], scale=32.0, **attrs)
    microsoft("FusedGemm", [a.T.copy(), b.T.copy(), c], [np.maximum(0.5 * a @ b + 2 * c, 0)], scale=32.0, activation="Relu", transA=1, transB=1,
              alpha=0.5, beta=2.0)
    microsoft("FusedGemm", [a, b], [np.tanh(a @ b)], scale=32.0, activation="Tanh")


def fused_conv():
    x, kernel, bias = real((1, 2, 5), -2, 2), real((3, 2, 3), -2, 2), real((3,), -2, 2)
    y = np.stack([sum(np.convolve(x[0, i], kernel[o, i, ::-1], "valid") for i in range(2)) for o in range(3)])[None]
    z = real(y.shape, -2, 2)
    for name, parameters, f in ACTIVATIONS + [("Clip", [-1.0, 2.5], lambda x: np.clip(x, -1, 2.5))]:
        attrs = {"activation": name} if name else {}
        if parameters:
            attrs["activation_params"] = parameters
        microsoft("FusedConv", [x, kernel, bias], [f(y + bias[:, None])], scale=32.0, **attrs)
        microsoft("FusedConv", [x, kernel, absent(), z], [f(y + z)], scale=32.0, **attrs)


def embed_layer_normalization():
    def one(segments=True, positions=False, mask=True, outputs=3, batch=2, length=3, width=8):
        words, places, kinds = real((7, width), -2, 2), real((5, width), -2, 2), real((2, width), -2, 2)
        gamma, beta = real((width,), -2, 2), real((width,), -2, 2)
        ids, kind = np.array([[0, 6, 3], [5, 5, 1]])[:batch, :length], np.array([[0, 0, 1], [1, 0, 1]])[:batch, :length]
        at = np.array([[4, 0, 2], [1, 1, 3]])[:batch, :length] if positions else np.arange(length)
        total = words[ids] + places[at] + (kinds[kind] if segments else 0)
        centred = total - total.mean(axis=-1, keepdims=True)
        y = centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + as_f32(1e-12)) * gamma + beta
        kept = np.array([[1, 1, 0], [1, 0, 0]])[:batch, :length]
        index = number("i32", kept.sum(axis=1) if mask else np.zeros(batch, int))
        ins = [number("i32", ids), number("i32", kind) if segments else absent(), words, places, kinds if segments else absent(), gamma, beta,
               number("i32", kept) if mask else absent(), number("i32", at) if positions else absent()]
        microsoft("EmbedLayerNormalization", ins, [y, index, total][:outputs], scale=16.0, **({"mask_index_type": 1} if outputs > 1 else {}))

    one()
    one(segments=False, mask=False, outputs=2)
    one(positions=True, mask=False)
    one(segments=False, mask=False, outputs=1)


def attention():
    def one(batch=2, rows=3, width=5, heads=2, size=4, v_size=4, past=0, causal=0, bias=True, padding=None, added=None, outputs=1):
        x, weights = real((batch, rows, width), -1, 1), real((width, heads * (2 * size + v_size)), -1, 1)
        b = real((weights.shape[1],), -1, 1) if bias else np.zeros(weights.shape[1])
        q, k, v = (heads_of(part, 0, heads, part.shape[2] // heads) for part in np.split(x @ weights + b, [heads * size, 2 * heads * size], axis=2))
        before = real((2, batch, heads, past, size), -2, 2)
        all_k, all_v = (np.concatenate([old, new], axis=2) for old, new in zip(before, (k, v))) if past else (k, v)
        y, _ = microsoft_scores(q, all_k, all_v, causal, padding, added)
        ins = [x, weights, b if bias else absent(), absent() if padding is None else number("i32", padding), before if past else absent(),
               absent() if added is None else added]
        attrs = {} if size == v_size else {"qkv_hidden_sizes": [heads * size, heads * size, heads * v_size]}
        microsoft("Attention", ins, [joined(y)] + ([np.stack([all_k, all_v])] if outputs > 1 else []), scale=64.0, num_heads=heads,
                  unidirectional=causal, **attrs)

    one()
    one(v_size=3, causal=1)
    one(past=4, causal=1, outputs=2)
    one(outputs=2, added=real((2, 2, 3, 3), -2, 2))
    one(padding=[[1, 1, 0], [0, 1, 1]])
    one(past=2, padding=[[1, 1, 0, 1, 1], [0, 1, 1, 0, 0]], outputs=2, causal=1)
    one(padding=[3, 2], bias=True)
