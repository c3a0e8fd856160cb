"""Attention in its forms."""
import numpy as np

from vectors import absent, as_f32, number, real, w


def softmax(x):
    e = np.exp(x - np.max(x, axis=-1, keepdims=True, initial=-np.inf))
    return e / np.sum(e, axis=-1, keepdims=True)


def heads_of(x, first, heads, size):
    """[B, S, C] -> [B, heads, S, size], from column `first` on."""
    batch, rows, _ = x.shape
    return x[:, :, first:first + heads * size].reshape(batch, rows, heads, size).transpose(0, 2, 1, 3)


def attend(q, k, v, mask, scale, visible=None, softcap=0.0, zero=False, masked=-np.inf):
    """All of [B, H, rows, size]; visible is a matrix of bools over queries and keys."""
    k, v = (np.repeat(x, q.shape[1] // x.shape[1], axis=1) for x in (k, v))
    scores = scale * np.matmul(q, k.swapaxes(-1, -2))
    if softcap:
        scores = softcap * np.tanh(scores / softcap)
    if mask is not None:
        scores = np.where(mask, scores, masked) if mask.dtype == bool else scores + mask
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
            softcap=0.0, zero=0, scale=0.5, masked=None):
        widths = widths or (heads * size, kv_heads * size, kv_heads * v_size)
        q, k, v = (real((b, r, c), -2, 2) for b, r, c in zip(batches, (rows, keys, keys), widths))
        wide = (heads_of(x, f, h, s) for x, f, h, s in zip((q, k, v), firsts, (heads, kv_heads, kv_heads), (size, size, v_size)))
        y, most = attend(*wide, mask, scale, triangle(rows, keys, keys - rows) if causal else None, softcap, bool(zero),
                         -np.inf if masked is None else masked)
        ins = [q, k, v]
        if mask is not None:
            ins.append(number("bool", mask) if mask.dtype == bool else mask)
        w.case("ai.daybreak.Attention", 1, ins, [joined(y)], scale=scaled(size, most), heads=heads, kv_heads=kv_heads, head_size=size,
               v_head_size=v_size, q_first=firsts[0], k_first=firsts[1], v_first=firsts[2], scale_=scale, causal=causal,
               softcap=softcap, masked_rows_zero=zero, **({} if masked is None else {"masked_score": masked}))

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
        one((2, 2, 2), 3, 5, 2, 2, 4, 4, mask=none == 0, zero=zero, masked=-1e4)
        for rows, keys in ((3, 3), (2, 5), (5, 2)):
            one((1, 1, 1), rows, keys, 2, 2, 4, 4, causal=1, zero=zero)
    one((2, 2, 2), 3, 5, 2, 2, 4, 4, softcap=1.5)
    one((2, 2, 2), 3, 5, 2, 2, 4, 4, softcap=1.5, mask=none, causal=1, zero=1)
    # Heads in an axis of their own, of queries and keys; values as above.
    for rows, keys in ((3, 5), (40, 35)):
        q, k, v = real((2, 4, rows, 6), -2, 2), real((2, 2, keys, 6), -2, 2), real((2, keys, 2 * 5), -2, 2)
        y, most = attend(q, k, heads_of(v, 0, 2, 5), None, 0.5)
        w.case("ai.daybreak.Attention", 1, [q, k, v], [joined(y)], scale=scaled(6, most), heads=4, kv_heads=2, head_size=6, v_head_size=5,
               q_first=0, k_first=0, v_first=0, scale_=0.5, causal=0, softcap=0.0, masked_rows_zero=0)


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


def scores_of(q, k, mask, scale, softcap, visible):
    """Scores of ONNX's Attention at each stage: product, with the mask, capped."""
    k = np.repeat(k, q.shape[1] // k.shape[1], axis=1)
    product = scale * np.matmul(q, k.swapaxes(-1, -2))
    bias = np.zeros(product.shape)
    if mask is not None:
        short = product.shape[-1] - (mask.shape[-1] if mask.ndim else 1)
        added = np.where(mask, 0, -np.inf) if mask.dtype == bool else mask
        if short > 0 and mask.ndim and mask.shape[-1] != 1:
            added = np.concatenate([added, np.full(mask.shape[:-1] + (short,), -np.inf)], axis=-1)
        bias = bias + added
    bias = np.where(visible, bias, -np.inf)
    masked = np.where(bias == -np.inf, -np.inf, product + bias)
    capped = np.where(bias == -np.inf, -np.inf, softcap * np.tanh(masked / softcap)) if softcap else masked
    return product, masked, capped


def onnx():
    """Attention of ONNX, opset 23 and 24."""
    def one(rank=4, batch=2, heads=2, kv_heads=2, rows=3, keys=5, past=0, size=4, v_size=3, mask=None, causal=0, softcap=0.0, mode=0,
            lengths=None, scale=None, outputs=1, opset=24):
        q, k, v = (real((batch, h, r, s), -2, 2) for h, r, s in ((heads, rows, size), (kv_heads, keys, size), (kv_heads, keys, v_size)))
        past_k, past_v = (real((batch, kv_heads, past, s), -2, 2) for s in (size, v_size))
        all_k, all_v = np.concatenate([past_k, k], axis=2), np.concatenate([past_v, v], axis=2)
        counts = np.full(batch, past + keys) if lengths is None else np.array(lengths)
        offsets = counts - rows if lengths is not None else np.full(batch, past)
        row, key = np.arange(rows)[:, None], np.arange(past + keys)[None, :]
        visible = np.stack([(key < n) & ((key <= row + o) if causal else True) for n, o in zip(counts, offsets)])[:, None]
        factor = as_f32(scale) if scale is not None else 1 / np.sqrt(size)
        stages = list(scores_of(q, all_k, mask, factor, softcap, visible))
        weights = softmax(stages[2])
        weights = np.where(np.max(stages[2], axis=-1, keepdims=True, initial=-np.inf) == -np.inf, 0, weights)
        y = np.matmul(weights, np.repeat(all_v, heads // kv_heads, axis=1))
        ins = [q, k, v]
        if rank == 3:
            ins, y = [joined(x) for x in ins], joined(y)
        optional = [absent() if mask is None else number("bool", mask) if mask.dtype == bool else mask]
        optional += [past_k, past_v] if past else [absent(), absent()]
        optional += [absent() if lengths is None else number("i64", lengths)]
        while optional and isinstance(optional[-1], absent):
            optional.pop()
        attrs = {"q_num_heads": heads, "kv_num_heads": kv_heads} if rank == 3 else {}
        if scale is not None:
            attrs["scale_"] = scale
        w.case("Attention", opset, ins + optional, [y, all_k, all_v, (stages + [weights])[mode]][:outputs],
               scale=scaled(size, float(np.max(np.abs(all_v), initial=1))), is_causal=causal, softcap=softcap, qk_matmul_output_mode=mode, **attrs)

    for rank in (3, 4):
        one(rank, opset=23)
        one(rank, heads=6, kv_heads=3, size=2, v_size=5)
        one(rank, keys=0)
        one(rank, rows=0)
        one(rank, past=4, outputs=3, causal=1)
        one(rank, rows=1, keys=1, past=130, outputs=3)
        one(rank, rows=35, keys=3, past=2, outputs=3, causal=1)
        one(rank, rows=5, keys=3, causal=1)
        one(rank, softcap=1.5, scale=0.25)
        for mode in (0, 1, 2, 3):
            one(rank, past=2, causal=1, softcap=2.0, mask=real((3, 7), -4, 4), mode=mode, outputs=4)
            one(rank, mask=real((2, 1, 3, 5), -4, 4) > 0, mode=mode, outputs=4)
    for shape in ((), (5,), (3, 1), (3, 5), (2, 3, 5), (2, 1, 1, 5), (1, 2, 3, 5), (3, 4), (2, 2, 3, 2)):
        one(mask=real(shape, -4, 4))
        one(mask=real(shape, -4, 4) > 0, softcap=1.5)
    one(lengths=[5, 2])
    one(lengths=[4, 0], causal=1)
    one(lengths=[1, 3], causal=1, mask=real((3, 4), -4, 4))
    nothing = np.zeros((3, 5))
    nothing[1] = -np.inf
    one(mask=nothing)
    one(mask=nothing, softcap=2.0, mode=3, outputs=4)
    one(mask=nothing == 0)


def filtered(padding, batch, keys):
    """What com.microsoft adds for a padding mask of ints: lengths, one element for each key, or for each query and key."""
    padding = np.array(padding)
    if padding.ndim == 1:
        return np.where(np.arange(keys)[None, :] < padding[:, None], 0, -np.inf)[:, None, None]
    return np.where(padding != 0, 0, -10000.0).reshape(batch, 1, -1, keys)


def microsoft_scores(q, k, v, causal, padding, added):
    """Of MultiHeadAttention: all of [batch, heads, rows, columns]. Where rows are causal there are as many keys beside those of a cache."""
    mask = np.zeros((1, 1, 1, 1)) + (0 if added is None else added)
    if padding is not None:
        mask = mask + filtered(padding, q.shape[0], k.shape[2])
    visible = triangle(q.shape[2], k.shape[2], k.shape[2] - q.shape[2]) if causal else None
    return attend(q, k, v, mask, 1 / np.sqrt(q.shape[3]), visible, zero=True)


def multi_head():
    def one(form="plain", batch=2, heads=2, rows=3, keys=5, past=0, size=4, v_size=4, causal=0, bias=False, padding=None, added=None, outputs=1):
        keys = rows if form == "packed" or causal else keys
        q, k, v = (real((batch, r, heads, s), -2, 2) for r, s in ((rows, size), (keys, size), (keys, v_size)))
        past_k, past_v = (real((batch, heads, past, s), -2, 2) for s in (size, v_size))
        b = real((heads * (2 * size + v_size),), -2, 2) if bias else None
        biases = [x.reshape(heads, -1) for x in np.split(b, [heads * size, 2 * heads * size])] if bias else [0, 0, 0]
        headed = [(x + y).transpose(0, 2, 1, 3) for x, y in zip((q, k, v), biases)]
        all_k, all_v = np.concatenate([past_k, headed[1]], axis=2), np.concatenate([past_v, headed[2]], axis=2)
        y, most = microsoft_scores(headed[0], all_k, all_v, causal, padding, added)
        ins = [x.reshape(batch, x.shape[1], -1) for x in (q, k, v)]
        if form == "packed":
            ins = [np.stack([q, k, v], axis=3), absent(), absent()]
        elif form == "packed keys":
            ins[1:] = [np.stack([k, v], axis=3), absent()]
        elif form == "cached":
            ins[1:] = [k.transpose(0, 2, 1, 3), v.transpose(0, 2, 1, 3)]
        ins += [absent() if b is None else b, absent() if padding is None else number("i32", padding), absent() if added is None else added]
        ins += [past_k, past_v] if past else []
        while isinstance(ins[-1], absent):
            ins.pop()
        w.case("com.microsoft.MultiHeadAttention", 1, ins, [joined(y), all_k, all_v][:outputs], scale=4 * scaled(size, most), num_heads=heads,
               unidirectional=causal)

    for form in ("plain", "packed", "packed keys", "cached"):
        for causal in (0, 1):
            one(form, causal=causal)
    one(past=4, causal=1, outputs=3)
    one(rows=1, keys=1, past=7, outputs=3)
    one(v_size=3)
    one(bias=True)
    one(bias=True, v_size=2, past=3, causal=1, outputs=3)
    for padding in ([5, 2], [[1, 1, 0, 1, 1], [0, 1, 1, 0, 0]], [[[1, 0, 1, 1, 0], [0, 1, 1, 1, 1], [1, 1, 0, 0, 0]]] * 2):
        one(padding=padding)
        one(padding=padding, added=real((1, 2, 3, 5), -4, 4), past=2, causal=1, outputs=3)
    one(added=real((2, 1, 3, 5), -4, 4))


def packed():
    """What com.microsoft.Attention is behind its product."""
    def one(batch=2, heads=2, rows=3, past=0, size=4, v_size=4, causal=0, padding=None, added=None, outputs=1):
        columns = real((batch, rows, heads * (2 * size + v_size)), -2, 2)
        parts = np.split(columns, [heads * size, 2 * heads * size], axis=2)
        q, k, v = (heads_of(x, 0, heads, x.shape[2] // heads) for x in parts)
        before = real((2, batch, heads, past, size), -2, 2)
        all_k, all_v = (np.concatenate([b, x], axis=2) for b, x in zip(before, (k, v))) if past else (k, v)
        y, most = microsoft_scores(q, all_k, all_v, causal, padding, added)
        ins = [columns, absent() if padding is None else number("i32", padding), before if past else absent(), absent() if added is None else added]
        while isinstance(ins[-1], absent):
            ins.pop()
        attrs = {} if size == v_size else {"qkv_hidden_sizes": [heads * size, heads * size, heads * v_size]}
        w.case("ai.daybreak.PackedAttention", 1, ins, [joined(y)] + ([np.stack([all_k, all_v])] if outputs > 1 else []), scale=scaled(size, most),
               num_heads=heads, unidirectional=causal, **attrs)

    one()
    one(v_size=3, causal=1)
    one(outputs=2)
    one(past=4, causal=1, outputs=2, added=real((2, 2, 3, 7), -4, 4))
    one(padding=[2, 3])
    one(past=2, padding=[[1, 1, 0, 1, 1], [0, 1, 1, 0, 0]])


def turned(x, cosine, sine, interleaved):
    """Pairs of the last axis turned; x is [batch, heads, tokens, width], the caches [batch, tokens, width / 2]."""
    c, s = cosine[:, None], sine[:, None]
    first, second = (x[..., 0::2], x[..., 1::2]) if interleaved else np.split(x, 2, axis=-1)
    pairs = (c * first - s * second, s * first + c * second)
    return np.stack(pairs, axis=-1).reshape(x.shape) if interleaved else np.concatenate(pairs, axis=-1)


def rotary_embedding():
    def one(domain, rank=4, batch=2, heads=3, tokens=4, size=6, width=0, interleaved=0, positions="listed", rows=9, give_heads=True):
        wide, half = width or size, (width or size) // 2
        x = real((batch, heads, tokens, size), -2, 2)
        cosine, sine = (real((batch, tokens, half) if positions == "own" else (rows, half), -1, 1) for _ in range(2))
        at = np.floor(real((batch, tokens), 0, rows)).astype(int) if positions == "listed" else 2 + np.arange(tokens) + np.zeros((batch, 1), int)
        by_token = (cosine, sine) if positions == "own" else (cosine[at], sine[at])
        y = np.concatenate([turned(x[..., :wide], *by_token, interleaved), x[..., wide:]], axis=-1)
        if rank == 3:
            x, y = joined(x), joined(y)
        ids = number("i64", [2] if positions == "from first" else at)
        attrs = {"num_heads": heads} if rank == 3 and give_heads else {}
        if domain:
            w.case("com.microsoft.RotaryEmbedding", 1, [x, ids, cosine, sine], [y], scale=4.0, interleaved=interleaved,
                   rotary_embedding_dim=width, **attrs)
        else:
            w.case("RotaryEmbedding", 23, [x, cosine, sine] + ([] if positions == "own" else [ids]), [y], scale=4.0,
                   interleaved=interleaved, rotary_embedding_dim=width, **attrs)

    for domain, kinds in (("", ("listed", "own")), ("com.microsoft", ("listed", "from first"))):
        for kind in kinds:
            for rank in (3, 4):
                for interleaved in (0, 1):
                    one(domain, rank, interleaved=interleaved, positions=kind)
                    one(domain, rank, interleaved=interleaved, positions=kind, width=4)
                one(domain, rank, positions=kind, tokens=0)
                one(domain, rank, positions=kind, heads=1, size=2, batch=1, tokens=1)
    one("com.microsoft", 3, give_heads=False)


def rotary_heads():
    def one(heads, size, width, table, rank=3, interleaved=0, whole=1):
        """q and k, or q alone, and tables that broadcast to [batch, tokens, width]."""
        batch, tokens = 2, 4
        cos, sin = real(table, -1, 1), real(table, -1, 1)
        by_token = [np.broadcast_to(t, (batch, tokens, width if whole else width // 2)) for t in (cos, sin)]
        operands, results = [], []
        for count in heads:
            x = real((batch, count, tokens, size), -2, 2)
            y = np.concatenate([turned_whole(x[..., :width], *by_token, interleaved, whole), x[..., width:]], axis=-1)
            operands.append(joined(x) if rank == 3 else x)
            results.append(joined(y) if rank == 3 else y)
        counts = dict(zip(("num_heads", "kv_num_heads"), heads)) if rank == 3 else {}
        w.case("ai.daybreak.RotaryHeads", 1, operands + [absent()] * (2 - len(operands)) + [cos, sin], results, scale=4.0, interleaved=interleaved,
               rotary_embedding_dim=width, whole_rows=whole, **counts)

    for interleaved in (0, 1):
        for rank in (3, 4):
            one((4, 2), 6, 6, (2, 4, 6), rank, interleaved)
            one((3,), 16, 8, (4, 8), rank, interleaved)
            one((2, 1), 8, 8, (1, 4, 4), rank, interleaved, whole=0)


def turned_whole(x, cosine, sine, interleaved, whole):
    """As a complex number for each pair, with angles of its own for both parts where the tables have them."""
    if not whole:
        return turned(x, cosine, sine, interleaved)
    first, second = (np.s_[..., 0::2], np.s_[..., 1::2]) if interleaved else (np.s_[..., : x.shape[-1] // 2], np.s_[..., x.shape[-1] // 2 :])
    cosine, sine = cosine[:, None], sine[:, None]
    y = np.empty_like(x)
    y[first] = x[first] * cosine[first] - x[second] * sine[first]
    y[second] = x[second] * cosine[second] + x[first] * sine[second]
    return y



def group_query():
    def one(batch=2, rows=3, heads=4, kv_heads=2, size=16, past=0, total=3, last=(2, 1), packed=False, rotary=False, interleaved=0, window=-1,
            softcap=0.0, smooth=0, added=None, scale=None):
        q, k, v = (real((batch, h, rows, size), -2, 2) for h in (heads, kv_heads, kv_heads))
        ins = [joined(np.concatenate([q, k, v], axis=1)), absent(), absent()] if packed else [joined(x).copy() for x in (q, k, v)]
        caches = [real((batch, kv_heads, past, size), -2, 2) for _ in range(2)]
        cosine, sine = (real((12, size // 2), -1, 1) for _ in range(2))
        present = [np.zeros((batch, kv_heads, max(past, total), size)) for _ in range(2)]
        y = np.zeros(q.shape)
        for b in range(batch):
            keys = last[b] + 1
            before = 0 if rows == total else keys - rows
            at = np.arange(rows) + before
            if rotary:
                q[b], k[b] = (turned(x[b][None], cosine[at][None], sine[at][None], interleaved)[0] for x in (q, k))
            for cache, old, new in zip(present, caches, (k, v)):
                cache[b, :, :before] = old[b, :, :before]
                cache[b, :, before:before + rows] = new[b]
            key = np.arange(max(past, total))[None]
            visible = (key <= at[:, None]) & (key < keys) & ((key > at[:, None] - window) if window >= 0 else True)
            wide = [np.repeat(cache[b], heads // kv_heads, axis=0) for cache in present]
            scores = (as_f32(scale) if scale else 1 / np.sqrt(size)) * q[b] @ wide[0].swapaxes(-1, -2)
            scores = softcap * np.tanh(scores / softcap) if softcap else scores
            if added is not None:
                scores = scores + np.pad(added[b % added.shape[0]], ((0, 0), (0, 0), (0, scores.shape[-1] - added.shape[-1])))
            scores = np.where(visible, scores, -np.inf)
            scores = np.concatenate([scores, np.zeros(scores.shape[:-1] + (1,))], axis=-1) if smooth else scores
            y[b] = softmax(scores)[..., :visible.shape[-1]] @ wide[1]
        ins += caches if past else [absent(), absent()]
        ins += [number("i32", last), number("i32", total)] + ([cosine, sine] if rotary else [absent(), absent()])
        ins += [absent(), absent() if added is None else added]
        while isinstance(ins[-1], absent):
            ins.pop()
        outs = [joined(y)] + present
        if rotary:  # 16-bit operands would be rounded once more, when they are turned
            ins, outs = ([number("f32", x) if isinstance(x, np.ndarray) else x for x in list] for list in (ins, outs))
        attrs = {"do_rotary": 1, "rotary_interleaved": interleaved} if rotary else {}
        attrs.update({"softcap": softcap} if softcap else {})
        attrs.update({"scale_": scale} if scale else {})
        w.case("com.microsoft.GroupQueryAttention", 1, ins, outs, scale=scaled(size, 8.0), num_heads=heads, kv_num_heads=kv_heads,
               local_window_size=window, smooth_softmax=smooth, **attrs)

    for rotary in (False, True):
        one(rotary=rotary)
        one(rotary=rotary, packed=True)
        one(rotary=rotary, rows=1, past=6, total=7, last=(6, 4), interleaved=1)
        one(rotary=rotary, rows=1, past=10, total=7, last=(6, 4))
        one(rotary=rotary, batch=1, past=6, total=9, last=(8,))
    one(batch=1, rows=5, total=5, last=(4,), window=2)
    one(batch=1, rows=1, past=8, total=9, last=(8,), window=3)
    one(softcap=1.5, scale=0.5)
    one(smooth=1)
    one(batch=1, last=(2,), added=real((1, 4, 3, 3), -4, 4))
