"""Attention in its forms."""
import numpy as np

from vectors import absent, number, real, w


def softmax(x):
    e = np.exp(x - np.max(x, axis=-1, keepdims=True, initial=-np.inf))
    return e / np.sum(e, axis=-1, keepdims=True)


def heads_of(x, first, heads, size):
    """[B, S, C] -> [B, heads, S, size], from column `first` on."""
    batch, rows, _ = x.shape
    return x[:, :, first:first + heads * size].reshape(batch, rows, heads, size).transpose(0, 2, 1, 3)


def attend(q, k, v, mask, scale, visible=None, softcap=0.0, zero=False):
    """All of [B, H, rows, size]; visible is a matrix of bools over queries and keys."""
    k, v = (np.repeat(x, q.shape[1] // x.shape[1], axis=1) for x in (k, v))
    scores = scale * np.matmul(q, k.swapaxes(-1, -2))
    if softcap:
        scores = softcap * np.tanh(scores / softcap)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf) if mask.dtype == bool else scores + mask
    if visible is not None:
        scores = np.where(visible, scores, -np.inf)
    weights = softmax(scores)
    if zero:
        weights = np.where(np.isnan(weights), 0, weights)
    y = np.matmul(weights, v)
    return y, float(np.max(np.abs(v), initial=0))


def joined(y):
    batch, heads, rows, size = y.shape
    return y.transpose(0, 2, 1, 3).reshape(batch, rows, heads * size)


def triangle(rows, keys, offset):
    return np.arange(keys)[None, :] <= np.arange(rows)[:, None] + offset


def scaled(size, v):
    """Scores of the vectors' numbers reach about 10, with a rounding each in f32; weights then lose up to that."""
    return 40 * size * v


def windowed():
    def one(batches, rows, keys, heads, kv_heads, size, v_size, firsts=(0, 0, 0), widths=None, mask=None, causal=0,
            softcap=0.0, zero=0, scale=0.5):
        widths = widths or (heads * size, kv_heads * size, kv_heads * v_size)
        q, k, v = (real((b, r, c), -2, 2) for b, r, c in zip(batches, (rows, keys, keys), widths))
        wide = (heads_of(x, f, h, s) for x, f, h, s in zip((q, k, v), firsts, (heads, kv_heads, kv_heads), (size, size, v_size)))
        y, most = attend(*wide, mask, scale, triangle(rows, keys, keys - rows) if causal else None, softcap, bool(zero))
        ins = [q, k, v]
        if mask is not None:
            ins.append(number("bool", mask) if mask.dtype == bool else mask)
        w.case("ai.daybreak.Attention", 1, ins, [joined(y)], scale=scaled(size, most), heads=heads, kv_heads=kv_heads, head_size=size,
               v_head_size=v_size, q_first=firsts[0], k_first=firsts[1], v_first=firsts[2], scale_=scale, causal=causal,
               softcap=softcap, masked_rows_zero=zero)

    one((1, 1, 1), 1, 1, 1, 1, 1, 1)
    one((2, 2, 2), 3, 5, 2, 2, 4, 3)
    one((2, 1, 2), 4, 3, 6, 2, 2, 5)
    one((1, 3, 1), 2, 2, 4, 1, 3, 2)
    one((2, 2, 2), 3, 3, 2, 2, 3, 3, (1, 7, 13), (20, 20, 20))
    one((2, 2, 2), 3, 0, 1, 1, 2, 2)
    one((2, 2, 2), 33, 130, 1, 1, 4, 4)
    for mask in (real((5,), -4, 4), real((3, 1), -4, 4), real((2, 1, 1, 5), -4, 4), real((1, 2, 3, 5), -4, 4),
                 real((3, 5), -4, 4) > 0, real((2, 1, 1, 5), -4, 4) > -2):
        one((2, 2, 2), 3, 5, 2, 2, 4, 4, mask=mask)
    none = np.zeros((3, 5))
    none[1] = -np.inf
    none[2, 3:] = -np.inf
    for zero in (0, 1):
        one((2, 2, 2), 3, 5, 2, 2, 4, 4, mask=none, zero=zero)
        one((2, 2, 2), 3, 5, 2, 2, 4, 4, mask=none == 0, zero=zero)
        for rows, keys in ((3, 3), (2, 5), (5, 2)):
            one((1, 1, 1), rows, keys, 2, 2, 4, 4, causal=1, zero=zero)
    one((2, 2, 2), 3, 5, 2, 2, 4, 4, softcap=1.5)
    one((2, 2, 2), 3, 5, 2, 2, 4, 4, softcap=1.5, mask=none, causal=1, zero=1)


def rotary():
    """Pairs of numbers as the real and imaginary part of one that is multiplied by cos + i sin."""
    def one(shape, tables, interleaved):
        x, cos, sin = real(shape, -4, 4), real(tables, -1, 1), real(tables, -1, 1)
        half = shape[-1] // 2
        first, second = (x[..., 0::2], x[..., 1::2]) if interleaved else (x[..., :half], x[..., half:])
        turned = np.empty_like(x)
        if interleaved:
            turned[..., 0::2], turned[..., 1::2] = -second, first
        else:
            turned[..., :half], turned[..., half:] = -second, first
        w.case("ai.daybreak.Rotary", 1, [x, cos, sin], [x * cos + turned * sin], scale=8, interleaved=interleaved)

    for interleaved in (0, 1):
        one((2, 3, 5, 8), (5, 8), interleaved)
        one((2, 3, 8), (2, 1, 8), interleaved)
        one((4,), (1,), interleaved)
        one((2, 0, 6), (6,), interleaved)
