"""Resize, GridSample, RoiAlign and their kin: each result is looked up element by element. Coordinates of Resize are computed in f32, as the
contract says, everything else in double."""
import itertools
import math

import numpy as np

from vectors import absent, number, real, w

f32 = np.float32


def cubic(d, a=-0.75):
    d = abs(d)
    if d <= 1:
        return (a + 2) * d**3 - (a + 3) * d**2 + 1
    return a * d**3 - 5 * a * d**2 + 8 * a * d - 4 * a if d < 2 else 0.0


def coordinate(how, x, extent, result, scale, length, roi):
    x, scale, length, last = f32(x), f32(scale), f32(length), f32(extent - 1)
    if how == "asymmetric":
        return x / scale
    if how == "align_corners":
        return f32(0) if length == 1 else x * last / (length - f32(1))
    if how == "tf_crop_and_resize":
        start, end = map(f32, roi)
        if length == 1:
            return f32(0.5) * (start + end) * last
        return start * last + x * (end - start) * last / (length - f32(1))
    if how == "pytorch_half_pixel" and result <= 1:
        return f32(0)
    centre = (x + f32(0.5)) / scale
    if how == "tf_half_pixel_for_nn":
        return centre
    if how == "half_pixel_symmetric":
        return f32(extent) / f32(2) * (f32(1) - f32(result) / length) + centre - f32(0.5)
    return centre - f32(0.5)


def resize_axis(x, axis, result, scale, length, how, mode, roi, a, exclude, antialias, rounding, outside):
    """Resizes one axis: a row of the result is a sum of weighted rows."""
    extent = x.shape[axis]
    rows = []
    for at in range(result):
        place = float(coordinate(how, at, extent, result, scale, length, roi))
        if how == "tf_crop_and_resize" and not 0 <= place <= extent - 1:
            rows.append(np.full(np.delete(x.shape, axis), outside))
            continue
        if mode == "nearest":
            pick = {"round_prefer_floor": math.ceil(place - 0.5), "round_prefer_ceil": math.floor(place + 0.5),
                    "floor": math.floor(place), "ceil": math.ceil(place)}[rounding]
            weights = {pick: 1.0}
        else:
            shrink = min(1.0, float(f32(scale))) if antialias else 1.0
            reach = math.ceil((1 if mode == "linear" else 2) / shrink) + 1
            kernel = (lambda d: max(0.0, 1 - abs(d))) if mode == "linear" else (lambda d: cubic(d, a))
            weights = {j: kernel((j - place) * shrink) for j in range(math.floor(place) - reach, math.floor(place) + reach + 1)}
            if exclude:
                weights = {j: v for j, v in weights.items() if 0 <= j < extent}
            if antialias or exclude:
                total = sum(weights.values())
                weights = {j: v / total for j, v in weights.items()}
        rows.append(sum(v * np.take(x, min(max(j, 0), extent - 1), axis) for j, v in weights.items() if v != 0))
    return np.stack(rows, axis)


def resize():
    def one(shape, sizes=None, scales=None, mode="linear", how="half_pixel", roi=None, a=-0.75, exclude=0, antialias=0,
            rounding="round_prefer_floor", outside=0.0, version=19):
        x = real(shape, -8, 8)
        y, rank = x, len(shape)
        for d in range(rank):
            scale = scales[d] if scales else sizes[d] / shape[d]
            length = f32(scale) * f32(shape[d]) if scales else f32(sizes[d])
            result = int(math.floor(length))
            region = (roi[d], roi[d + rank]) if roi else (0, 1)
            if (result, f32(scale), region) != (shape[d], 1, (0, 1)):
                y = resize_axis(y, d, result, scale, length, how, mode, region, a, exclude, antialias, rounding, outside)
        attrs = dict(mode=mode, coordinate_transformation_mode=how, nearest_mode=rounding, extrapolation_value=outside, cubic_coeff_a=a,
                     exclude_outside=exclude)
        if version >= 18:
            attrs["antialias"] = antialias
        sizing = [number("f32", scales)] if scales else [absent() if version >= 13 else number("f32", []), number("i64", sizes)]
        w.case("Resize", version, [x, number("f32", roi or [])] + sizing, [y], scale=16.0, **attrs)

    modes = ("nearest", "linear", "cubic")
    hows = ("half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners", "asymmetric", "tf_crop_and_resize")
    for mode, how in itertools.product(modes, hows):
        roi = [0, 0.25, 1, 1.125] if how == "tf_crop_and_resize" else None
        one((3, 5), scales=[2.0, 1.5], mode=mode, how=how, roi=roi, outside=-3.0)
        one((7, 4), sizes=[4, 9], mode=mode, how=how, roi=roi)
        one((6, 3), scales=[0.6, 0.7], mode=mode, how=how, roi=roi)
        one((4, 1), sizes=[1, 3], mode=mode, how=how, roi=roi)
    for rounding in ("round_prefer_floor", "round_prefer_ceil", "floor", "ceil"):
        one((8,), sizes=[5], mode="nearest", rounding=rounding)
        one((4,), scales=[2.5], mode="nearest", rounding=rounding, how="asymmetric")
    for mode, antialias, exclude in itertools.product(modes[1:], (0, 1), (0, 1)):
        one((11, 6), sizes=[4, 9], mode=mode, antialias=antialias, exclude=exclude)
    one((2, 2, 3, 4), sizes=[2, 2, 5, 6], a=-0.5, mode="cubic", version=13)
    one((2, 3, 2), sizes=[3, 2, 5], version=11)
    one((6,), scales=[1.5], mode="nearest", how="tf_half_pixel_for_nn", rounding="floor", version=11)
    resize_older()
    resize_axes()


def resize_older():
    x = real((1, 1, 2, 3), -8, 8)
    doubled = np.repeat(np.repeat(x, 2, 2), 3, 3)
    scales = number("f32", [1, 1, 2, 3])
    w.case("Upsample", 9, [x, scales], [doubled])
    w.case("Upsample", 7, [x], [doubled], scales=[1.0, 1.0, 2.0, 3.0])
    w.case("Resize", 10, [x, scales], [doubled])
    y = real((2,), -8, 8)
    w.case("Upsample", 9, [y, number("f32", [2])], [np.array([y[0], (y[0] + y[1]) / 2, y[1], y[1]])], mode="linear")
    bits = number("bool", [[1, 0], [0, 1]])
    w.case("Resize", 13, [bits, absent(), number("f32", [1, 2])], [number("bool", [[1, 1, 0, 0], [0, 0, 1, 1]])])
    w.case("Resize", 13, [number("u8", [0, 100, 255]), absent(), number("f32", [2])], [number("u8", [0, 25, 75, 139, 216, 255])], mode="linear")
    w.case("Resize", 13, [np.zeros((0, 3)), absent(), absent(), number("i64", [0, 5])], [np.zeros((0, 5))])


def resize_axes():
    """The policies, on an axis list in another order."""
    x = real((2, 3, 4), -8, 8)
    for policy, scale, result in (("stretch", None, (7, 2, 6)), ("not_larger", 7 / 4, (7, 2, 5)), ("not_smaller", 2.0, (8, 2, 6))):
        y = x
        for d, size in ((2, result[0]), (1, result[2])):
            factor = size / x.shape[d] if scale is None else scale
            y = resize_axis(y, d, size, factor, f32(size), "half_pixel", "linear", (0, 1), -0.75, 0, 0, "", 0)
        w.case("Resize", 19, [x, absent(), absent(), number("i64", [7, 6])], [y], scale=16.0, mode="linear", axes=[2, -2],
               keep_aspect_ratio_policy=policy)


def grid_sample():
    def reflected(x, low, high):
        if high <= low:
            return low
        while not low <= x <= high:
            x = 2 * low - x if x < low else 2 * high - x
        return x

    def one(shape, places, mode, padding, corners, version=20):
        x = real(shape, -8, 8)
        rank = len(shape) - 2
        grid = real((shape[0],) + places + (rank,), -2, 2)
        if mode == "nearest":
            grid += 1 / 64  # no ties
        y = np.zeros(shape[:2] + places)
        for n, c in itertools.product(range(shape[0]), range(shape[1])):
            for at in np.ndindex(*places):
                terms = [(1.0, ())]
                for d in range(rank):
                    extent, g = shape[d + 2], float(grid[(n,) + at][rank - 1 - d])
                    low, high = (0, extent - 1) if corners else (-0.5, extent - 0.5)
                    place = (g + 1) / 2 * (extent - 1) if corners else ((g + 1) * extent - 1) / 2
                    place = round(place) if mode == "nearest" else place
                    if not low <= place <= high:
                        place = {"zeros": place, "border": min(max(place, 0), extent - 1), "reflection": reflected(place, low, high)}[padding]
                    first = math.floor(place)
                    near = {"nearest": {int(place): 1.0}, "linear": {first: 1 - (place - first), first + 1: place - first},
                            "cubic": {j: cubic(j - place) for j in range(first - 1, first + 3)}}[mode]
                    places_of = {"zeros": lambda j: j if 0 <= j < extent else None, "border": lambda j: min(max(j, 0), extent - 1),
                                 "reflection": lambda j: min(max(int(reflected(j, low, high)), 0), extent - 1)}[padding]
                    terms = [(v * wj, index + (places_of(j),)) for v, index in terms for j, wj in near.items() if places_of(j) is not None and wj != 0]
                y[(n, c) + at] = sum(v * x[(n, c) + index] for v, index in terms)
        name = {"linear": "bilinear", "cubic": "bicubic"}.get(mode, mode) if version < 20 else mode
        w.case("GridSample", version, [x, grid], [y], scale=32.0, mode=name, padding_mode=padding, align_corners=corners)

    for mode, padding, corners in itertools.product(("nearest", "linear", "cubic"), ("zeros", "border", "reflection"), (0, 1)):
        one((2, 2, 3, 4), (2, 3), mode, padding, corners)
        one((1, 1, 2, 3, 2), (1, 2, 3), mode, padding, corners)
        one((1, 1, 5), (7,), mode, padding, corners)
    for mode in ("nearest", "linear", "cubic"):
        one((1, 1, 3, 4), (2, 2), mode, "zeros", 0, 16)


def roi_align():
    def sample(plane, y, x):
        """Four weighted neighbours."""
        height, width = plane.shape
        if not (-1 <= y <= height and -1 <= x <= width):
            return [0.0]
        y, x = min(max(y, 0), height - 1), min(max(x, 0), width - 1)
        top, left = int(y), int(x)
        return [(1 - abs(y - i)) * (1 - abs(x - j)) * plane[min(i, height - 1), min(j, width - 1)]
                for i in (top, top + 1) for j in (left, left + 1)]

    def one(mode, sampling, how, version=16):
        x = real((2, 2, 5, 6), -8, 8)
        rois = np.array([[0.5, 1.25, 4.0, 3.5], [-3.0, 1.0, 2.5, 7.75], [2.25, 2.25, 2.25, 2.25]])
        batches = [1, 0, 1]
        y = np.zeros((3, 2, 2, 3))
        offset = 0.5 if how == "half_pixel" else 0.0
        for r, c in itertools.product(range(3), range(2)):
            x1, y1, x2, y2 = rois[r] * 0.75 - offset
            wide, high = (x2 - x1, y2 - y1) if offset else (max(x2 - x1, 1), max(y2 - y1, 1))
            for i, j in itertools.product(range(2), range(3)):
                bin_h, bin_w = high / 2, wide / 3
                grid_h, grid_w = (sampling or math.ceil(bin_h)), (sampling or math.ceil(bin_w))
                terms = [sample(x[batches[r], c], y1 + (i + (a + 0.5) / grid_h) * bin_h, x1 + (j + (b + 0.5) / grid_w) * bin_w)
                         for a in range(grid_h) for b in range(grid_w)]
                if terms:
                    y[r, c, i, j] = sum(map(sum, terms)) / len(terms) if mode == "avg" else max(map(max, terms))
        attrs = {"coordinate_transformation_mode": how} if version >= 16 else {}
        w.case("RoiAlign", version, [x, rois, number("i64", batches)], [y], scale=16.0, mode=mode, sampling_ratio=sampling, output_height=2,
               output_width=3, spatial_scale=0.75, **attrs)

    for mode, sampling, how in itertools.product(("avg", "max"), (0, 1, 2), ("half_pixel", "output_half_pixel")):
        one(mode, sampling, how)
    one("avg", 2, "output_half_pixel", 10)


def pooled_regions():
    x = real((2, 1, 4, 5), -8, 8)
    rois = np.array([[1.0, 0, 0, 4, 3], [0, 1, 1, 2, 2], [0, 3, 2, 9, 9], [1, 9, 9, 9, 9]])
    y = np.zeros((4, 1, 2, 2))
    for r, (n, x1, y1, x2, y2) in enumerate(rois):
        wide, high = max(x2 - x1 + 1, 1) / 2, max(y2 - y1 + 1, 1) / 2
        for i, j in itertools.product(range(2), range(2)):
            rows = range(min(4, int(y1 + math.floor(i * high))), min(4, int(y1 + math.ceil((i + 1) * high))))
            columns = range(min(5, int(x1 + math.floor(j * wide))), min(5, int(x1 + math.ceil((j + 1) * wide))))
            y[r, 0, i, j] = max([x[int(n), 0, a, b] for a in rows for b in columns], default=0)
    w.case("MaxRoiPool", 1, [x, rois], [y], pooled_shape=[2, 2])
    w.case("MaxRoiPool", 22, [x, 2 * rois - np.array([[n, 0, 0, 0, 0] for n in rois[:, 0]])], [y], pooled_shape=[2, 2], spatial_scale=0.5)


def unpool():
    x = real((1, 1, 2, 2), -8, 8)
    y = np.zeros((4, 4))
    y[1, 1], y[1, 3], y[3, 1], y[3, 3] = x.ravel()
    indices = number("i64", [[[[5, 7], [13, 15]]]])
    w.case("MaxUnpool", 11, [x, indices], [y.reshape(1, 1, 4, 4)], kernel_shape=[2, 2], strides=[2, 2])
    w.case("MaxUnpool", 9, [x, indices, number("i64", [1, 1, 5, 6])], [np.pad(y, [(0, 1), (0, 2)]).reshape(1, 1, 5, 6)], kernel_shape=[2, 2],
           strides=[2, 2])


def col2im():
    def one(batch, channels, image, block, strides=None, dilations=None, pads=None):
        rank = len(image)
        s, d, p = strides or [1] * rank, dilations or [1] * rank, pads or [0] * 2 * rank
        counts = [(image[i] + p[i] + p[i + rank] - (block[i] - 1) * d[i] - 1) // s[i] + 1 for i in range(rank)]
        x = real((batch, channels * int(np.prod(block)), int(np.prod(counts))), -8, 8)
        room = np.zeros((batch, channels) + tuple(image[i] + p[i] + p[i + rank] for i in range(rank)))
        parts = x.reshape((batch, channels) + tuple(block) + tuple(counts))
        for tap in np.ndindex(*block):
            for column in np.ndindex(*counts):
                at = tuple(c * si + t * di for c, si, t, di in zip(column, s, tap, d))
                room[(slice(None), slice(None)) + at] += parts[(slice(None), slice(None)) + tap + column]
        y = room[(slice(None), slice(None)) + tuple(slice(p[i], p[i] + image[i]) for i in range(rank))]
        lists = {name: values for name, values in (("strides", strides), ("dilations", dilations), ("pads", pads)) if values}
        w.case("Col2Im", 18, [x, number("i64", image), number("i64", block)], [y], scale=32.0, **lists)

    for dtype, x, y in (("c64", [[[1 + 2j, 3 - 1j], [2j, 4 + 0j]]], [[[1 + 2j, 3 + 1j, 4 + 0j]]]), ("bool", [[[0, 0], [1, 0]]], [[[0, 1, 0]]]),
                        ("bool", [[[0, 1], [1, 1]]], [[[0, 1, 1]]]), ("i8", [[[1, 100], [100, -3]]], [[[1, -56, -3]]])):
        w.case("Col2Im", 18, [number(dtype, x), number("i64", [3]), number("i64", [2])], [number(dtype, y)])
    one(1, 1, [5, 5], [1, 5])
    one(2, 3, [3, 4], [2, 2])
    one(1, 2, [5, 6], [3, 2], [2, 1], [1, 2], [1, 0, 1, 1])
    one(1, 1, [3, 3, 4], [2, 2, 3], pads=[0, 1, 0, 1, 0, 1])
    one(2, 1, [9], [4], [2], [2])


def reverse_sequence():
    x = real((4, 3, 2), -8, 8)
    lengths = [4, 1, 3]
    y = x.copy()
    for b, n in enumerate(lengths):
        y[:n, b] = x[:n, b][::-1]
    w.case("ReverseSequence", 10, [x, number("i64", lengths)], [y], time_axis=0, batch_axis=1)
    w.case("ReverseSequence", 10, [np.swapaxes(x, 0, 1), number("i64", lengths)], [np.swapaxes(y, 0, 1)], time_axis=1, batch_axis=0)
    w.case("ReverseSequence", 10, [number("bool", [[1, 0], [1, 1]]), number("i64", [2, 0])], [number("bool", [[1, 0], [1, 1]])])


def deform_conv():
    def one(shape, weights_shape, strides=(1, 1), pads=(0, 0, 0, 0), dilations=(1, 1), group=1, offset_group=1, bias=False, masked=False):
        x, weights = real(shape, -2, 2), real(weights_shape, -2, 2)
        kernel = weights_shape[2:]
        out = [(shape[2 + i] + pads[i] + pads[2 + i] - (kernel[i] - 1) * dilations[i] - 1) // strides[i] + 1 for i in range(2)]
        taps = offset_group * kernel[0] * kernel[1]
        offset, mask, b = real((shape[0], 2 * taps, *out), -2, 2), real((shape[0], taps, *out), 0, 1), real(weights_shape[:1], -2, 2)

        def at(plane, y, x):
            total = 0.0
            for i, j in itertools.product((math.floor(y), math.floor(y) + 1), (math.floor(x), math.floor(x) + 1)):
                if 0 <= i < shape[2] and 0 <= j < shape[3]:
                    total += (1 - abs(y - i)) * (1 - abs(x - j)) * plane[i, j]
            return total

        y = np.zeros((shape[0], weights_shape[0], *out))
        per_group, outputs = weights_shape[1], weights_shape[0] // group
        for n, o, i, j in np.ndindex(*y.shape):
            y[n, o, i, j] = b[o] if bias else 0
            for c, u, v in itertools.product(range(per_group), range(kernel[0]), range(kernel[1])):
                channel = o // outputs * per_group + c
                tap = (channel // (shape[1] // offset_group)) * kernel[0] * kernel[1] + u * kernel[1] + v
                place = (i * strides[0] - pads[0] + u * dilations[0] + offset[n, 2 * tap, i, j],
                         j * strides[1] - pads[1] + v * dilations[1] + offset[n, 2 * tap + 1, i, j])
                y[n, o, i, j] += weights[o, c, u, v] * at(x[n, channel], *place) * (mask[n, tap, i, j] if masked else 1)
        operands = [x, weights, offset] + ([b if bias else absent()] if bias or masked else []) + ([mask] if masked else [])
        w.case("DeformConv", 19, operands, [y], scale=4.0 * per_group * kernel[0] * kernel[1], strides=list(strides), pads=list(pads), dilations=list(dilations),
               group=group, offset_group=offset_group)

    one((1, 1, 3, 3), (1, 1, 2, 2))
    one((1, 2, 4, 5), (3, 2, 2, 3), bias=True, masked=True)
    one((2, 4, 5, 4), (4, 2, 2, 2), (2, 1), (1, 0, 1, 1), (1, 2), 2, 2, masked=True)


def det():
    for shape in [(1, 1), (2, 2), (3, 3), (2, 3, 4, 4)]:
        x = real(shape, -2, 2)
        w.case("Det", 11, [x], [np.linalg.det(x)], scale=64.0)
    w.case("Det", 22, [np.zeros((2, 0, 0))], [np.ones(2)])
    w.case("Det", 11, [np.array([[1.0, 2], [2, 4]])], [np.array(0.0)])
