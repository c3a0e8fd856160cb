"""Ops whose data tells how many elements they give."""
import numpy as np

from vectors import absent, number, real, w


def non_zero():
    for x in ([0, 1, 0, 2], [[1, 0], [1, 1]], [[[0, 3], [0, 0]], [[5, 0], [0, -1]]], [0, 0], np.zeros((2, 0))):
        w.case("NonZero", 13, [np.array(x, dtype=float)], [number("i64", np.array(np.nonzero(np.array(x))))])
    w.case("NonZero", 9, [number("bool", [1, 0, 1])], [number("i64", [[0, 2]])])
    for dtype in ("c64", "c128"):
        w.case("NonZero", 13, [number(dtype, [0j, 2 + 0j, 3j, 1 - 1j])], [number("i64", [[1, 2, 3]])])
    w.case("NonZero", 13, [np.array(3.0)], [number("i64", np.zeros((0, 1)))])


def compress():
    x = real((3, 4), -8, 8)
    for condition, axis in [([0, 1, 1], 0), ([1], 0), ([0, 1, 0, 1], 1), ([1, 1], -1), ([0], 1), ([0, 0, 1, 0, 0, 1], None)]:
        result = np.compress(np.array(condition, dtype=bool), x, axis=axis)
        w.case("Compress", 11, [x, number("bool", condition)], [result], **({} if axis is None else {"axis": axis}))


def unique():
    def case(x, sort=1, axis=None):
        y, first, inverse, counts = np.unique(x, return_index=True, return_inverse=True, return_counts=True, axis=axis)
        inverse = np.ravel(inverse)
        if not sort:
            order = np.argsort(first)
            y, first, counts = np.take(y, order, axis=axis or 0), first[order], counts[order]
            inverse = np.argsort(order)[inverse]
        attrs = {"sorted": sort, **({} if axis is None else {"axis": axis})}
        w.case("Unique", 11, [x], [y, number("i64", first), number("i64", inverse), number("i64", counts)], **attrs)

    for sort in (1, 0):
        case(np.array([2.0, 1, 1, 3, 4, 3]), sort)
        case(np.array([[2.0, -1], [-1, 0]]), sort)
        for axis in (0, 1):
            case(np.array([[1.0, 0, 0], [1, 0, 0], [0, 3, 4], [1, 0, 0]]), sort, axis)
    case(np.zeros(0))
    z = [1 + 2j, 1 - 1j, 0j, 1 + 2j]
    w.case("Unique", 11, [number("c64", z)], [number("c64", np.unique(z)), number("i64", [2, 1, 0]), number("i64", [2, 1, 0, 2]), number("i64", [1, 1, 2])])


def suppression():
    """The greedy rule, one box at a time."""
    def overlap(a, b):
        def corners(p):
            return min(p[0], p[2]), min(p[1], p[3]), max(p[0], p[2]), max(p[1], p[3])
        (a0, a1, a2, a3), (b0, b1, b2, b3) = corners(a), corners(b)
        both = max(0, min(a2, b2) - max(a0, b0)) * max(0, min(a3, b3) - max(a1, b1))
        return both / ((a2 - a0) * (a3 - a1) + (b2 - b0) * (b3 - b1) - both) if both else 0

    def chosen(boxes, scores, most, iou, least):
        rows = []
        for b in range(len(scores)):
            for c in range(len(scores[b])):
                kept = []
                for i in sorted(range(len(boxes[b])), key=lambda i: -scores[b][c][i]):
                    if len(kept) < most and scores[b][c][i] > least and all(overlap(boxes[b][i], boxes[b][k]) <= iou for k in kept):
                        kept.append(i)
                rows += [[b, c, i] for i in kept]
        return np.array(rows).reshape(-1, 3)

    corners = [[0, 0, 1, 1], [0, 0.125, 1, 1.125], [0, -0.125, 1, 0.875], [0, 10, 1, 11], [1, 11.125, 0, 10.125], [0, 100, 1, 101]]
    boxes, scores = [corners], [[[0.875, 0.75, 0.625, 0.9375, 0.5, 0.25]]]
    for most, iou, least in [(3, 0.5, 0.0), (9, 0.5, 0.0), (2, 0.5, 0.0), (9, 0.9, 0.3), (9, 0.0, 0.0), (0, 0.5, 0.0)]:
        limits = [number("i64", [most]), number("f32", [iou]), number("f32", [least])]
        w.case("NonMaxSuppression", 11, [number("f32", boxes), number("f32", scores)] + limits,
               [number("i64", chosen(boxes, scores, most, np.float32(iou), np.float32(least)))])
    two = [corners, corners[::-1]]
    classes = [[scores[0][0], scores[0][0][::-1]]] * 2
    w.case("NonMaxSuppression", 11, [number("f32", two), number("f32", classes), number("i64", [2]), number("f32", [0.5])],
           [number("i64", chosen(two, classes, 2, 0.5, -1))])
    w.case("NonMaxSuppression", 10, [number("f32", boxes), number("f32", scores)], [number("i64", np.zeros((0, 3)))])
    centres = [[[(p[1] + p[3]) / 2, (p[0] + p[2]) / 2, abs(p[3] - p[1]), abs(p[2] - p[0])] for p in corners]]
    w.case("NonMaxSuppression", 11, [number("f32", centres), number("f32", scores), number("i64", [3]), number("f32", [0.5]), absent()],
           [number("i64", chosen(boxes, scores, 3, 0.5, -1))], center_point_box=1)
