"""Writes all-MiniLM-L6-v2, or a BERT of another size, as ONNX from its weights, decomposed as PyTorch's exporter decomposes
BERT and the pooling of sentence-transformers: nothing is fused beforehand, shapes are computed by nodes, and batch and
sequence are dynamic. So the file asks of an importer and of a compiler what files from elsewhere ask."""
import dataclasses

import numpy as np

from onnx_writer import FLOAT, INT64, GraphWriter
from safetensors_file import read_safetensors
from table import Failure

EPSILON = 1e-12
OPSET = 14  # before LayerNormalization (17) and with axes of ReduceMean as an attribute


@dataclasses.dataclass(frozen=True)
class Size:
    layers: int
    width: int
    heads: int
    inner: int
    words: int = 30522
    positions: int = 512

    @property
    def head_width(self):
        return self.width // self.heads


MINILM = Size(layers=6, width=384, heads=12, inner=1536)


class Bert:
    def __init__(self, name, size, weight):
        """weight(name, shape) is an f32 array."""
        self.size, self.find_weight = size, weight
        self.g = GraphWriter(name, OPSET)

    def weight(self, name, *shape):
        return self.find_weight(name, shape)

    def param(self, name, *shape):
        return self.g.initializer(name, self.weight(name, *shape))

    def table(self, kind, rows):
        return self.param(f"embeddings.{kind}_embeddings.weight", rows, self.size.width)

    def linear(self, x, name, scope, inputs, outputs):
        g = self.g
        with g.scope(scope):
            # The exporter folds the transposition of PyTorch's [outputs, inputs] into the initialiser.
            transposed = np.ascontiguousarray(self.weight(f"{name}.weight", outputs, inputs).T)
            product = g.node("MatMul", x, g.initializer(f"{name}.weight_transposed", transposed))
            return g.node("Add", self.param(f"{name}.bias", outputs), product)

    def layer_norm(self, x, name, output=""):
        g = self.g
        with g.scope("LayerNorm"):
            centred = g.node("Sub", x, g.node("ReduceMean", x, axes=[-1]))
            variance = g.node("ReduceMean", g.node("Pow", centred, g.f32(2)), axes=[-1])
            deviation = g.node("Sqrt", g.node("Add", variance, g.f32(EPSILON)))
            scaled = g.node("Mul", g.node("Div", centred, deviation), self.param(f"{name}.weight", self.size.width))
            return g.node("Add", scaled, self.param(f"{name}.bias", self.size.width), output=output)

    def extent(self, x, axis):
        """x.size(axis) as a tensor of one element."""
        g = self.g
        size = g.node("Gather", g.node("Shape", x), g.i64(axis), axis=0)
        return g.node("Unsqueeze", size, g.i64([0]))

    def view(self, x, *fixed):
        """x.view(batch, sequence, *fixed)"""
        g = self.g
        extents = [self.extent(x, 0), self.extent(x, 1), *(g.i64([extent]) for extent in fixed)]
        return g.node("Reshape", x, g.node("Concat", *extents, axis=0))

    def embeddings(self, ids, types):
        g = self.g
        with g.scope("embeddings"):
            all_positions = g.i64(np.arange(self.size.positions)[None])
            positions = g.node("Slice", all_positions, g.i64([0]), self.extent(ids, 1), g.i64([1]), g.i64([1]))
            words = g.node("Gather", self.table("word", self.size.words), ids)
            kinds = g.node("Gather", self.table("token_type", 2), types)
            places = g.node("Gather", self.table("position", self.size.positions), positions)
            return self.layer_norm(g.node("Add", g.node("Add", words, kinds), places), "embeddings.LayerNorm")

    def score_bias(self, mask):
        """0 where the mask is 1, the most negative number where it is 0; [batch, 1, 1, sequence]."""
        g = self.g
        wide = g.node("Unsqueeze", g.node("Unsqueeze", mask, g.i64([1])), g.i64([2]))
        absent = g.node("Sub", g.f32(1), g.node("Cast", wide, to=FLOAT))
        return g.node("Mul", absent, g.f32(np.finfo("<f4").min))

    def self_attention(self, x, bias, name):
        g = self.g
        with g.scope("self"):
            query = self.linear(x, f"{name}.query", "query", self.size.width, self.size.width)
            key = self.linear(x, f"{name}.key", "key", self.size.width, self.size.width)
            key = g.node("Transpose", self.view(key, self.size.heads, self.size.head_width), perm=[0, 2, 3, 1])
            value = self.linear(x, f"{name}.value", "value", self.size.width, self.size.width)
            value = g.node("Transpose", self.view(value, self.size.heads, self.size.head_width), perm=[0, 2, 1, 3])
            query = g.node("Transpose", self.view(query, self.size.heads, self.size.head_width), perm=[0, 2, 1, 3])
            scores = g.node("Div", g.node("MatMul", query, key), g.f32(self.size.head_width ** 0.5))
            weights = g.node("Softmax", g.node("Add", scores, bias), axis=-1)
            context = g.node("Transpose", g.node("MatMul", weights, value), perm=[0, 2, 1, 3])
            return self.view(context, self.size.width)

    def gelu(self, x):
        g = self.g
        with g.scope("intermediate_act_fn"):
            erf = g.node("Erf", g.node("Div", x, g.f32(2 ** 0.5)))
            return g.node("Mul", g.node("Mul", x, g.node("Add", erf, g.f32(1))), g.f32(0.5))

    def output_block(self, x, residual, name, inputs, output=""):
        with self.g.scope("output"):
            projected = self.linear(x, f"{name}.dense", "dense", inputs, self.size.width)
            return self.layer_norm(self.g.node("Add", projected, residual), f"{name}.LayerNorm", output)

    def layer(self, x, bias, index, output=""):
        g, name = self.g, f"encoder.layer.{index}"
        with g.scope(f"encoder/layer.{index}"):
            with g.scope("attention"):
                context = self.self_attention(x, bias, f"{name}.attention.self")
                attended = self.output_block(context, x, f"{name}.attention.output", self.size.width)
            with g.scope("intermediate"):
                inner = self.linear(attended, f"{name}.intermediate.dense", "dense", self.size.width, self.size.inner)
                active = self.gelu(inner)
            return self.output_block(active, attended, f"{name}.output", self.size.inner, output)

    def mean_over_mask(self, x, mask):
        g = self.g
        with g.scope("pooling"):
            size = g.node("Concat", *(self.extent(x, axis) for axis in range(3)), axis=0)
            # Tensor.expand takes -1 for "as it is", and the exporter guards against it.
            ones = g.node("ConstantOfShape", g.node("Shape", size), value=np.array([1], "<i8"))
            as_it_is = g.node("Equal", size, g.node("Mul", ones, g.i64(-1)))
            size = g.node("Where", as_it_is, ones, size)
            wide = g.node("Cast", g.node("Expand", g.node("Unsqueeze", mask, g.i64([-1])), size), to=FLOAT)
            total = g.node("ReduceSum", g.node("Mul", x, wide), g.i64([1]), keepdims=0)
            count = g.node("Clip", g.node("ReduceSum", wide, g.i64([1]), keepdims=0), g.f32(1e-9))
            return g.node("Div", total, count)

    def l2_normalized(self, x, output):
        g = self.g
        with g.scope("normalize"):
            length = g.node("Clip", g.node("ReduceL2", x, axes=[1], keepdims=1), g.f32(1e-12))
            return g.node("Div", x, g.node("Expand", length, g.node("Shape", x)), output=output)

    def build(self):
        g, extents = self.g, ["batch_size", "sequence_length"]
        ids, mask, types = (g.input(name, INT64, extents) for name in ("input_ids", "attention_mask", "token_type_ids"))
        bias = self.score_bias(mask)
        x = self.embeddings(ids, types)
        for index in range(self.size.layers):
            x = self.layer(x, bias, index, output="last_hidden_state" if index == self.size.layers - 1 else "")
        self.l2_normalized(self.mean_over_mask(x, mask), output="sentence_embedding")
        g.output("last_hidden_state", FLOAT, [*extents, self.size.width])
        g.output("sentence_embedding", FLOAT, [extents[0], self.size.width])
        return g


def write(safetensors, path):
    weights = read_safetensors(safetensors)

    def weight(name, shape):
        array = weights.get(name)
        if array is None or array.shape != shape or array.dtype != np.dtype("<f4"):
            raise Failure(f"the weights have no f32 {name} of shape {list(shape)}")
        return array

    Bert("minilm", MINILM, weight).build().save(path)
