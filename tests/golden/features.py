"""Ops of classical models and training steps."""
import math

import numpy as np

from vectors import number, real, w


def tfidf():
    def one(rows, mode, skips, shortest=1, longest=2):
        pool, counts, columns = [[2], [3], [5], [5, 4], [5, 6], [7, 8]], [0, 3], [5, 0, 1, 2, 4, 3]
        weights = [0.5, 1.0, 2.0, 0.25, 3.0, 1.5]
        y = np.zeros((len(rows), 6))
        for r, row in enumerate(rows):
            for gram, column in zip(pool, columns):
                n = len(gram)
                if shortest <= n <= longest:
                    for step in range(1, 2 if n == 1 else skips + 2):
                        y[r, column] += sum(row[i:i + (n - 1) * step + 1:step] == gram for i in range(len(row) - (n - 1) * step))
        y = {"TF": y, "IDF": (y > 0) * np.array(weights), "TFIDF": y * np.array(weights)}[mode]
        w.case("TfIdfVectorizer", 9, [number("i64", rows)], [number("f32", y)], mode=mode, min_gram_length=shortest, max_gram_length=longest,
               max_skip_count=skips, ngram_counts=counts, ngram_indexes=columns, pool_int64s=sum(pool, []), weights=weights)

    for mode in ("TF", "IDF", "TFIDF"):
        for skips in (0, 1, 5):
            one([[1, 1, 3, 3, 3, 7], [8, 6, 7, 5, 6, 8]], mode, skips)
    one([[5, 4, 2, 5, 6, 2]], "TF", 0, 2)
    w.case("TfIdfVectorizer", 9, [number("i32", [3, 2, 3])], [number("f32", [1, 2])], mode="TF", min_gram_length=1, max_gram_length=1,
           max_skip_count=0, ngram_counts=[0], ngram_indexes=[0, 1], pool_int64s=[2, 3])


def encoders():
    ml = "ai.onnx.ml."
    w.case(ml + "LabelEncoder", 2, [number("i64", [[3, 1], [7, 2]])], [number("f32", [[30, 10], [-2, 20]])], keys_int64s=[1, 2, 3],
           values_floats=[10.0, 20.0, 30.0], default_float=-2.0)
    w.case(ml + "LabelEncoder", 4, [number("f32", [1.5, 2.5, 9])], [number("i64", [4, -1, 5])], keys_floats=[1.5, 9.0], values_int64s=[4, 5])
    w.case(ml + "LabelEncoder", 4, [number("i32", [7, 8, 9])], [number("i16", [1, -3, 2])], keys_tensor=number("i32", [9, 7]),
           values_tensor=number("i16", [2, 1]), default_tensor=number("i16", [-3]))
    for dtype in ("f32", "f64", "i32", "i64"):
        w.case(ml + "Binarizer", 1, [number(dtype, [[-1, 0], [1, 2]])], [number(dtype, [[0, 0], [0, 1]])], threshold=1.0)
        w.case(ml + "ArrayFeatureExtractor", 1, [number(dtype, [[1, 2, 3], [4, 5, 6]]), number("i64", [2, 0, 2])], [number(dtype, [[3, 1, 3], [6, 4, 6]])])
    w.case(ml + "ArrayFeatureExtractor", 1, [number("f32", [1, 2, 3]), number("i64", [[1]])], [number("f32", [[2]])])


def trees():
    def one(rows, aggregate, transform):
        """if x0 <= 0.5: (x2 > -1 ? 0.5 -> 0 : 0.75 -> 1) else -1.5 -> 1; if x1 in {1, 3}: 2 -> 0 else 1.25 -> 1."""
        results = []
        for x in rows:
            leaves = [(0, 0.5) if x[2] > -1 else (1, 0.75)] if x[0] <= 0.5 or math.isnan(x[0]) else [(1, -1.5)]
            leaves.append((0, 2.0) if x[1] in (1, 3) else (1, 1.25))
            parts = [[v for t, v in leaves if t == target] for target in (0, 1)]
            fold = {0: lambda p: sum(p) / 2, 1: sum, 2: lambda p: min(p, default=math.inf), 3: lambda p: max(p, default=-math.inf)}[aggregate]
            y = np.array([fold(p) for p in parts])
            if transform == 1:
                y = np.exp(y - np.max(y)) / np.sum(np.exp(y - np.max(y)))
            if transform == 2:
                y = 1 / (1 + np.exp(-y))
            results.append(y)
        w.case("ai.onnx.ml.TreeEnsemble", 5, [number("f32", rows)], [number("f32", results)], scale=4.0, aggregate_function=aggregate, post_transform=transform,
               n_targets=2, tree_roots=[0, 2], nodes_featureids=[0, 2, 1], nodes_modes=number("u8", [0, 3, 6]), nodes_splits=number("f32", [0.5, -1, 0]),
               nodes_truenodeids=[1, 0, 3], nodes_trueleafs=[0, 1, 1], nodes_falsenodeids=[2, 1, 4], nodes_falseleafs=[1, 1, 1],
               leaf_targetids=[0, 1, 1, 0, 1], leaf_weights=number("f32", [0.5, 0.75, -1.5, 2, 1.25]), nodes_missing_value_tracks_true=[1, 0, 0],
               membership_values=number("f32", [1, 3, math.nan]))

    rows = [[0.25, 1, 0], [0.25, 2, -2], [2, 3, 0], [math.nan, 0, -1], [0.5, 3, 5]]
    for aggregate in (0, 1, 2, 3):
        one(rows, aggregate, 0)
    one(rows, 1, 1)
    one(rows, 1, 2)


def training():
    def case(op, tensors, states, step, t, **attrs):
        r = 0.125
        x, g = [real(s, -2, 2) for s in tensors], [real(s, -2, 2) for s in tensors]
        kept = [[real(s, 0, 2) for s in tensors] for _ in range(states)]
        results = [step(r, t, x[i], g[i] + 0.0625 * x[i], [k[i] for k in kept]) for i in range(len(tensors))]
        operands = [number("f32", r), number("i64", t)] + [number("f32", v) for v in x + g + sum(kept, [])]
        outs = [number("f32", results[i][0]) for i in range(len(tensors))]
        outs += [number("f32", results[i][1][s]) for s in range(states) for i in range(len(tensors))]
        w.case("ai.onnx.preview.training." + op, 1, operands, outs, scale=4.0, norm_coefficient=0.0625, **attrs)

    def adagrad(r, t, x, g, state):
        h = state[0] + g * g
        return x - r / (1 + t * 0.25) * g / (np.sqrt(h) + 0.0009765625), [h]

    def adam(r, t, x, g, state):
        v, h = 0.75 * state[0] + 0.25 * g, 0.875 * state[1] + 0.125 * g * g
        rate = r * math.sqrt(1 - 0.875**t) / (1 - 0.75**t) if t else r
        return (1 - 0.03125) * (x - rate * v / (np.sqrt(h) + 0.0009765625)), [v, h]

    def momentum(nesterov):
        def step(r, t, x, g, state):
            v = 0.75 * state[0] + (0.5 if t else 1) * g
            return x - r * (g + 0.75 * v if nesterov else v), [v]
        return step

    for tensors in ([(3,)], [(2, 2), (5,)]):
        for t in (0, 3):
            case("Adagrad", tensors, 1, adagrad, t, decay_factor=0.25, epsilon=0.0009765625)
            case("Adam", tensors, 2, adam, t, alpha=0.75, beta=0.875, epsilon=0.0009765625, norm_coefficient_post=0.03125)
            for mode in ("standard", "nesterov"):
                case("Momentum", tensors, 1, momentum(mode == "nesterov"), t, alpha=0.75, beta=0.5, mode=mode)


def certain_draws():
    """Random ops where nothing is left to chance; tests/host_ops/random_test.cpp looks at the others."""
    w.case("RandomNormal", 1, [], [number("f32", [[2, 2]])], shape=[1, 2], mean=2.0, scale_=0.0)
    w.case("RandomUniform", 1, [], [number("f64", [3, 3])], shape=[2], low=3.0, high=3.0, dtype=11)
    w.case("RandomNormalLike", 1, [number("i32", [1, 2])], [number("f32", [2, 2])], mean=2.0, scale_=0.0, dtype=1)
    w.case("RandomUniformLike", 1, [real((2, 1), 0, 1)], [np.full((2, 1), 3.0)], low=3.0, high=3.0)
    w.case("Multinomial", 7, [number("f32", [[0, -1000], [-1000, 0]])], [number("i32", [[0, 0, 0], [1, 1, 1]])], sample_size=3)
    w.case("Bernoulli", 15, [np.array([0.0, 1, 1, 0])], [np.array([0.0, 1, 1, 0])])


def dropout():
    x = real((2, 3), -8, 8)
    ones = number("bool", np.ones((2, 3)))
    w.case("Dropout", 13, [x], [x, ones])
    w.case("Dropout", 13, [x, number("f32", 0.25), number("bool", 0)], [x, ones])
    w.case("Dropout", 12, [x, number("f32", 0.0), number("bool", 1)], [x, ones])
    w.case("Dropout", 7, [x], [x, np.ones((2, 3))], ratio=0.25)
