"""Conv, ConvTranspose, pooling and normalisation of channels: every window is cut out of a padded copy and looked at by
itself."""
import itertools
import math

import numpy as np

from vectors import number, real, w


def geometry(extents, kernel, strides, dilations, pads, auto_pad="NOTSET", ceil_mode=0):
    """Per axis: extent of the result, padding before and behind, and room for windows that hang over."""
    axes = []
    for d, extent in enumerate(extents):
        reach = (kernel[d] - 1) * dilations[d] + 1
        before, behind = pads[d], pads[d + len(extents)]
        if auto_pad.startswith("SAME"):
            count = math.ceil(extent / strides[d])
            total = max(0, (count - 1) * strides[d] + reach - extent)
            before = total // 2 if auto_pad == "SAME_UPPER" else total - total // 2
            behind = total - before
        elif auto_pad == "VALID":
            before = behind = 0
            count = math.ceil((extent - reach + 1) / strides[d])
        else:
            rounded = math.ceil if ceil_mode else math.trunc  # towards zero, as ONNX's inference
            count = rounded((extent + before + behind - reach) / strides[d]) + 1
            if ceil_mode and (count - 1) * strides[d] >= extent + before:
                count -= 1
        axes.append((count, before, behind, (count - 1) * strides[d] + reach - extent - before))
    return axes


def windows(x, kernel, strides, dilations, axes, fill):
    """Yields the place of each window of one plane, and its elements."""
    padded = np.pad(x, [(a[1], max(a[3], 0)) for a in axes], constant_values=fill)
    for place in itertools.product(*(range(a[0]) for a in axes)):
        taps = [np.arange(k) * d + p * s for k, d, p, s in zip(kernel, dilations, place, strides)]
        yield place, padded[np.ix_(*taps)]


def listed(**lists):
    return {name: list(values) for name, values in lists.items() if values is not None}


def conv():
    def one(x_shape, w_shape, strides=None, dilations=None, pads=None, group=1, bias=True, version=11, **more):
        rank = len(x_shape) - 2
        x, weights = real(x_shape, -2, 2), real(w_shape, -2, 2)
        b = real(w_shape[:1], -2, 2)
        s, d, p = strides or [1] * rank, dilations or [1] * rank, pads or [0] * 2 * rank
        axes = geometry(x_shape[2:], w_shape[2:], s, d, p, **more)
        y = np.zeros(x_shape[:1] + w_shape[:1] + tuple(a[0] for a in axes))
        size, per_group = 1.0, w_shape[0] // group
        for n, o, c in itertools.product(range(x_shape[0]), range(w_shape[0]), range(w_shape[1])):
            plane = x[n, o // per_group * w_shape[1] + c]
            for place, window in windows(plane, w_shape[2:], s, d, axes, 0.0):
                y[(n, o) + place] += np.sum(window * weights[o, c])
                size = max(size, 2 * w_shape[1] * float(np.sum(np.abs(window * weights[o, c]))))
        if bias:
            y += b.reshape((1, -1) + (1,) * rank)
        w.case("Conv", version, [x, weights] + ([b] if bias else []), [y], scale=size, group=group,
               **listed(strides=strides, dilations=dilations, pads=pads), **more)

    one((1, 1, 1), (1, 1, 1))
    one((2, 3, 7), (4, 3, 3))
    one((1, 2, 9), (2, 2, 3), [2], [2], [3, 1], bias=False)
    one((1, 2, 5, 6), (3, 2, 3, 2))
    one((1, 2, 5, 6), (3, 2, 3, 2), [2, 3], [1, 2], [1, 0, 2, 1])
    one((2, 4, 4, 4), (6, 2, 3, 3), pads=[1, 1, 1, 1], group=2)
    one((1, 3, 5, 5), (6, 1, 3, 3), pads=[1, 1, 1, 1], group=3)
    one((1, 2, 3, 4, 4), (2, 2, 2, 2, 3), [1, 2, 1], [2, 1, 1], [1, 0, 1, 0, 1, 0])
    one((1, 20, 6, 6), (70, 20, 1, 1))
    one((1, 40, 5, 5), (3, 40, 3, 3), pads=[1, 1, 1, 1])
    for mode in ("SAME_UPPER", "SAME_LOWER", "VALID"):
        one((1, 2, 5, 6), (2, 2, 2, 3), [2, 2], auto_pad=mode)
        one((1, 1, 8), (2, 1, 4), [1], [2], auto_pad=mode, version=1)
    w.case("Conv", 11, [np.zeros((0, 2, 4)), real((3, 2, 2), -2, 2)], [np.zeros((0, 3, 3))])
    w.case("Conv", 11, [np.zeros((1, 2, 0)), real((3, 2, 2), -2, 2)], [np.zeros((1, 3, 0))])


def conv_transpose():
    def one(x_shape, w_shape, strides=None, dilations=None, pads=None, output_padding=None, output_shape=None, group=1,
            bias=True, version=11, auto_pad="NOTSET"):
        rank = len(x_shape) - 2
        x, weights, b = real(x_shape, -2, 2), real(w_shape, -2, 2), real((w_shape[1] * group,), -2, 2)
        s, d, extra = strides or [1] * rank, dilations or [1] * rank, output_padding or [0] * rank
        full = [(x_shape[2 + i] - 1) * s[i] + (w_shape[2 + i] - 1) * d[i] + 1 + extra[i] for i in range(rank)]
        p = pads or [0] * 2 * rank
        if output_shape or auto_pad.startswith("SAME"):
            wanted = output_shape or [x_shape[2 + i] * s[i] for i in range(rank)]
            total = [max(0, f - o) for f, o in zip(full, wanted)]
            small, large = [t // 2 for t in total], [t - t // 2 for t in total]
            p = small + large if auto_pad == "SAME_UPPER" else large + small
        else:
            wanted = [full[i] - p[i] - p[i + rank] for i in range(rank)]
        room = [max(f, before + o) for f, before, o in zip(full, p, wanted)]
        y = np.zeros((x_shape[0], w_shape[1] * group) + tuple(room))
        per_group = w_shape[0] // group
        for n, c, o in itertools.product(range(x_shape[0]), range(w_shape[0]), range(w_shape[1])):
            for place in np.ndindex(*x_shape[2:]):
                for tap in np.ndindex(*w_shape[2:]):
                    at = tuple(i * si + k * di for i, si, k, di in zip(place, s, tap, d))
                    y[(n, c // per_group * w_shape[1] + o) + at] += x[(n, c) + place] * weights[(c, o) + tap]
        y = y[(slice(None), slice(None)) + tuple(slice(before, before + o) for before, o in zip(p, wanted))]
        if bias:
            y = y + b.reshape((1, -1) + (1,) * rank)
        size = 4.0 * per_group * float(np.prod(w_shape[2:]))
        w.case("ConvTranspose", version, [x, weights] + ([b] if bias else []), [y], scale=size, group=group,
               auto_pad=auto_pad, **listed(strides=strides, dilations=dilations, pads=pads, output_padding=output_padding,
                                           output_shape=output_shape))

    one((1, 1, 1), (1, 1, 1))
    one((2, 3, 5), (3, 4, 3))
    one((1, 2, 5), (2, 2, 3), [3], [2], [2, 1], [1], bias=False)
    one((1, 2, 3, 4), (2, 3, 3, 2), [2, 3], [1, 2], [1, 0, 0, 1], [1, 0])
    one((1, 4, 3, 3), (4, 2, 2, 2), [2, 2], group=2)
    one((1, 2, 2, 3, 2), (2, 1, 2, 2, 2), [1, 2, 2])
    one((1, 1, 3, 3), (1, 2, 3, 3), [3, 2], output_shape=[10, 8])
    one((1, 1, 3, 3), (1, 2, 3, 3), [2, 2], output_shape=[6, 6], auto_pad="SAME_UPPER")
    for mode in ("SAME_UPPER", "SAME_LOWER", "VALID"):
        one((1, 2, 3, 4), (2, 2, 3, 4), [2, 3], auto_pad=mode)
    one((1, 1, 300), (1, 1, 3), [2], pads=[1, 0])


POOL_SINCE = {"MaxPool": 12, "AveragePool": 19, "LpPool": 18}


def pool_case(op, shape, kernel, strides=None, dilations=None, pads=None, attrs=None, **more):
    attrs, rank = attrs or {}, len(kernel)
    x = real(shape, -8, 8)
    s, d, p = strides or [1] * rank, dilations or [1] * rank, pads or [0] * 2 * rank
    axes = geometry(shape[2:], kernel, s, d, p, **more)
    y = np.zeros(shape[:2] + tuple(a[0] for a in axes))
    indices = np.zeros(y.shape, dtype=np.int64)
    order = "F" if attrs.get("storage_order") else "C"
    plane_size = int(np.prod(shape[2:]))
    numbers = np.arange(plane_size, dtype=float).reshape(shape[2:], order=order)
    covered = np.zeros([shape[2 + i] + axes[i][1] + axes[i][2] for i in range(rank)])  # input and padding, nothing beyond
    for n, c in itertools.product(range(shape[0]), range(shape[1])):
        cut = lambda data, axes_of=axes: windows(data, kernel, s, d, axes_of, np.nan)
        beyond = [(a[0], 0, 0, a[3] - a[2]) for a in axes]
        for (place, window), (_, at), (_, room) in zip(cut(x[n, c]), cut(numbers), cut(covered, beyond)):
            seen = window[~np.isnan(window)]
            if op == "MaxPool":
                y[(n, c) + place] = np.max(seen)
                indices[(n, c) + place] = (n * shape[1] + c) * plane_size + at.ravel()[np.nanargmax(window)]
            elif op == "AveragePool":
                count = np.sum(~np.isnan(room)) if attrs.get("count_include_pad") else len(seen)
                y[(n, c) + place] = np.sum(seen) / count
            else:
                power = attrs.get("p", 2)
                y[(n, c) + place] = np.sum(np.abs(seen) ** power) ** (1 / power)
    results = [y] + ([number("i64", indices)] if op == "MaxPool" else [])
    w.case(op, POOL_SINCE[op], [x], results, scale=8.0 if op == "AveragePool" else None, kernel_shape=list(kernel),
           **listed(strides=strides, dilations=dilations, pads=pads), **attrs, **more)


def pools():
    for op, variants in (("MaxPool", [{}, {"storage_order": 1}]), ("AveragePool", [{}, {"count_include_pad": 1}]),
                         ("LpPool", [{}, {"p": 1}, {"p": 3}])):
        for attrs in variants:
            pool_case(op, (1, 2, 7), (3,), attrs=attrs)
            pool_case(op, (2, 1, 9), (3,), [2], [2], [2, 1], attrs=attrs)
            pool_case(op, (1, 2, 5, 6), (3, 2), [2, 1], None, [1, 0, 1, 1], attrs=attrs)
            pool_case(op, (1, 1, 6, 6), (3, 3), [2, 2], None, [1, 1, 1, 1], attrs=attrs, ceil_mode=1)
            pool_case(op, (1, 1, 4, 5), (1, 2), [3, 2], None, None, attrs=attrs, ceil_mode=1)
            pool_case(op, (1, 2, 1, 6), (2, 2), [2, 2], attrs=attrs)  # windows longer than the input
            pool_case(op, (1, 2, 2, 5), (4, 2), [3, 2], [1, 3], [0, 0, 0, 1], attrs=attrs, ceil_mode=1)
            pool_case(op, (1, 1, 5, 5, 5), (2, 3, 2), [2, 1, 2], [2, 1, 1], [1, 1, 0, 0, 1, 1], attrs=attrs)
            for mode in ("SAME_UPPER", "SAME_LOWER", "VALID"):
                pool_case(op, (1, 1, 5, 6), (2, 3), [2, 2], attrs=attrs, auto_pad=mode)
    x = np.array([[[1.0, np.nan, 3.0, 2.0, np.inf, -np.inf, -np.inf]]])
    w.case("MaxPool", 12, [x], [np.array([[[np.nan, np.nan, 3.0, np.inf, np.inf, -np.inf]]])], kernel_shape=[2])
    for dtype, values in (("i8", [-128, -5, 7, 127]), ("u8", [0, 200, 7, 255])):
        w.case("MaxPool", 12, [number(dtype, [[values]])],
               [number(dtype, [[[max(a, b) for a, b in zip(values, values[1:])]]])], kernel_shape=[2])


def global_pools():
    for shape in [(1, 1, 1), (2, 3, 5), (1, 2, 3, 4), (2, 1, 2, 3, 4), (0, 2, 3)]:
        x = real(shape, -8, 8)
        axes = tuple(range(2, len(shape)))
        w.case("GlobalMaxPool", 1, [x], [np.max(x, axis=axes, keepdims=True)])
        w.case("GlobalAveragePool", 1, [x], [np.mean(x, axis=axes, keepdims=True)], scale=8.0)
        for p in (1, 2, 3):
            norm = np.sum(np.abs(x) ** p, axis=axes, keepdims=True) ** (1 / p)
            w.case("GlobalLpPool", 2, [x], [norm], p=p)


def batch_normalization():
    for shape, version in [((3,), 15), ((2, 3), 15), ((2, 3, 4), 14), ((1, 2, 3, 2), 9), ((2, 2, 2, 1, 2), 7)]:
        x, channels = real(shape, -8, 8), shape[1] if len(shape) > 1 else 1
        scale, bias, mean = real((channels,), -2, 2), real((channels,), -2, 2), real((channels,), -2, 2)
        variance = real((channels,), 0.25, 4)
        along = (1, channels) + (1,) * (len(shape) - 2) if len(shape) > 1 else (1,)
        column = lambda v: v.reshape(along)
        y = (x - column(mean)) / np.sqrt(column(variance) + 0.0625) * column(scale) + column(bias)
        w.case("BatchNormalization", version, [x, scale, bias, mean, variance], [y], scale=5 * float(np.max(np.abs(y))),
               epsilon=0.0625)
        if version < 14:
            continue
        others = tuple(d for d in range(len(shape)) if d != 1)
        seen, spread = np.mean(x, axis=others).reshape(channels), np.var(x, axis=others).reshape(channels)
        y = (x - column(seen)) / np.sqrt(column(spread) + 0.0625) * column(scale) + column(bias)
        w.case("BatchNormalization", version, [x, scale, bias, mean, variance],
               [y, mean * 0.75 + seen * 0.25, variance * 0.75 + spread * 0.25], scale=64.0, epsilon=0.0625, momentum=0.75,
               training_mode=1)


def group_normalization():
    def one(op, version, shape, groups, per_group=False):
        x = real(shape, -8, 8)
        factors = groups if per_group else shape[1]
        scale, bias = real((factors,), -2, 2), real((factors,), -2, 2)
        rows = x.reshape(shape[0], groups, -1)
        mean = np.mean(rows, axis=2, keepdims=True)
        normal = (rows - mean) / np.sqrt(np.mean((rows - mean) ** 2, axis=2, keepdims=True) + 0.0625)
        spread = lambda v: np.repeat(v, shape[1] // factors).reshape((1, -1) + (1,) * (len(shape) - 2))
        y = normal.reshape(shape) * spread(scale) + spread(bias)
        attrs = {"num_groups": groups} if op == "GroupNormalization" else {}
        w.case(op, version, [x, scale, bias], [y], scale=6 * 8.0, epsilon=0.0625, **attrs)

    for shape in [(2, 3, 5), (1, 2, 3, 4), (1, 4, 67)]:
        one("InstanceNormalization", 6, shape, shape[1])
    for version in (18, 21):
        one("GroupNormalization", version, (2, 4, 5), 2, version == 18)
        one("GroupNormalization", version, (1, 6, 3, 2), 3, version == 18)
        one("GroupNormalization", version, (2, 3, 4), 1, version == 18)
        one("GroupNormalization", version, (2, 3, 4), 3, version == 18)


def other_normalizations():
    for shape, axis in [((5,), 0), ((2, 3), -1), ((2, 3, 4), 1), ((3, 70), 0)]:
        x = real(shape, -8, 8)
        for p in (1, 2):
            w.case("LpNormalization", 1, [x], [x / np.sum(np.abs(x) ** p, axis=axis, keepdims=True) ** (1 / p)], axis=axis, p=p)
    w.case("LpNormalization", 1, [np.zeros((2, 3))], [np.zeros((2, 3))])
    for shape, size in [((1, 5), 3), ((2, 4, 3), 2), ((1, 7, 2, 2), 5), ((1, 3, 4), 1), ((1, 3, 4), 9)]:
        x = real(shape, -8, 8)
        total = np.zeros(shape)
        for c in range(shape[1]):
            first, last = max(0, c - (size - 1) // 2), min(shape[1] - 1, c + math.ceil((size - 1) / 2))
            total[:, c] = np.sum(x[:, first:last + 1] ** 2, axis=1)
        w.case("LRN", 13, [x], [x / (1.5 + 0.125 / size * total) ** 0.75], size=size, alpha=0.125, beta=0.75, bias=1.5)
    for shape, axes in [((2, 3, 4, 2), None), ((2, 3, 4), [1]), ((2, 3, 4), [0, -1]), ((3, 70), [0, 1])]:
        x, over = real(shape, -8, 8), tuple(axes or [0, 2, 3])
        mean = np.mean(x, axis=over, keepdims=True)
        y = (x - mean) / (np.sqrt(np.mean((x - mean) ** 2, axis=over, keepdims=True)) + 1e-9)
        w.case("MeanVarianceNormalization", 13, [x], [y], scale=4.0, **listed(axes=axes))
