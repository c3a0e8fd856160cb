"""What is measured: models written here, or fetched ones, with their inputs. Weights are random but the same each time."""
import dataclasses
import pathlib
import subprocess
import sys
import zlib
from typing import Callable

import numpy as np

MODELS = pathlib.Path(__file__).parents[2] / "host" / "models"
sys.path.insert(0, str(MODELS))
from minilm import Bert, Size  # noqa: E402
from onnx_writer import FLOAT, GraphWriter  # noqa: E402

MICROSOFT = "com.microsoft"
BERT_BASE = Size(layers=12, width=768, heads=12, inner=3072)


class Unavailable(Exception):
    """Carries the reason."""


@dataclasses.dataclass(frozen=True)
class Job:
    name: str
    write: Callable  # (path) of a model of our own; None: `model` is fetched
    inputs: Callable  # () -> {name: array}
    runs: int  # per round of a rival
    floors: dict  # times of a rival over ours that we promise, by its name: on AVX2 alone, with AVX-512
    model: str = ""  # id of a fetched model
    product: tuple = ()  # m, n, k where the job is one product, which rivals without graphs can run, too

    def path(self, directory):
        if self.model:
            return fetched(self.model)
        path = directory / f"{self.name}.onnx"
        self.write(path)
        return path


def fetched(model):
    """The file of a model, brought into the cache where it is not there yet."""
    done = subprocess.run([sys.executable, "-B", MODELS / "fetch.py", model], stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise Unavailable(f"the model {model} could not be fetched")
    return next(pathlib.Path(line) for line in done.stdout.splitlines() if line.endswith(".onnx"))


def normal(name, shape, scale=1.0):
    return np.random.default_rng(zlib.crc32(name.encode())).standard_normal(shape, "f4") * np.float32(scale)


def write_matmul(m, n, k):
    def write(path):
        g = GraphWriter("matmul", 17)
        x = g.input("x", FLOAT, [m, k])
        g.node("MatMul", x, g.initializer("w", normal("w", (k, n))), output="y")
        g.output("y", FLOAT, [m, n])
        g.save(path)
    return write


def write_row_op(op, rows, columns):
    def write(path):
        g = GraphWriter(op, 17)
        operands = [g.input("x", FLOAT, [rows, columns])]
        if op == "LayerNormalization":
            operands += [g.initializer(name, normal(name, (columns,))) for name in ("scale", "bias")]
        g.node(op, *operands, output="y", axis=-1)
        g.output("y", FLOAT, [rows, columns])
        g.save(path)
    return write


def write_attention(heads, sequence, width):
    def write(path):
        g = GraphWriter("attention", 17, [MICROSOFT])
        shape = [1, sequence, heads * width]
        operands = [g.input(name, FLOAT, shape) for name in ("query", "key", "value")]
        g.node("MultiHeadAttention", *operands, output="y", domain=MICROSOFT, num_heads=heads)
        g.output("y", FLOAT, shape)
        g.save(path)
    return write


def write_bert_base(path):
    def weight(name, shape):
        if "LayerNorm" in name:
            return np.full(shape, 1 if name.endswith("weight") else 0, "f4")
        return normal(name, shape, 0.02)
    Bert("bert_base", BERT_BASE, weight).build().save(path)


def normal_inputs(**shapes):
    return lambda: {name: normal(name, shape) for name, shape in shapes.items()}


def tokens(batch, sequence):
    def make():
        ids = np.random.default_rng(1).integers(1000, 30000, (batch, sequence))
        return {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
    return make


def webgpu(*floors):
    return {"onnxruntime_webgpu": floors}


def matmul_job(size, runs, floors):
    return Job(f"matmul_{size}", write_matmul(size, size, size), normal_inputs(x=(size, size)), runs, floors,
               product=(size, size, size))


def row_job(op, name):
    return Job(f"{name}_2048x1024", write_row_op(op, 2048, 1024), normal_inputs(x=(2048, 1024)), 30, webgpu(3, 2))


ATTENTION = (1, 512, 12 * 64)
JOBS = [
    matmul_job(512, 40, webgpu(8, 5) | {"ggml_vulkan": (12, 8)}),
    matmul_job(1024, 10, webgpu(8, 4) | {"ggml_vulkan": (8, 5)}),
    Job("minilm_128", None, tokens(1, 128), 10, webgpu(6, 4), model="minilm-f32"),
    Job("minilm_8x128", None, tokens(8, 128), 3, webgpu(5, 4), model="minilm-f32"),
    Job("bert_base_128", write_bert_base, tokens(1, 128), 3, webgpu(6, 4)),
    row_job("Softmax", "softmax"),
    row_job("LayerNormalization", "layer_normalization"),
    Job("attention_12x512x64", write_attention(12, 512, 64),
        normal_inputs(query=ATTENTION, key=ATTENTION, value=ATTENTION), 20, webgpu(4, 3)),
    Job("ocr_det_640x640", None, normal_inputs(x=(1, 3, 640, 640)), 2, webgpu(3, 2), model="ocr-det"),
]
