"""The text format of golden vectors, and what make_vectors.py is written in. A case is lines of words:
    case OP OPSET                  the op, with its domain and a dot in front unless that is the default one, and the version
                                   of the domain it is written for
    attr NAME KIND VALUES...       KIND: i f s is fs ss, or t followed by a tensor
    in DTYPE DIMS VALUES...        DIMS is "2x3", "-" for a scalar; the line `in absent` is an optional input left out
    out DTYPE DIMS VALUES...
    scale S                        errors count in epsilons of S where the result is smaller
    end
DTYPE `real` stands for each of f64, f32, f16 and bf16 in turn; complex numbers are two values each.
"""
import pathlib
import re

import numpy as np

_state = 20240229


def _random(count):
    """Numbers in [0, 1) that no NumPy release will change."""
    global _state
    out = []
    for _ in range(count):
        _state = (_state * 6364136223846793005 + 1442695040888963407) % 2**64
        out.append((_state >> 33) / 2**31)
    return np.array(out)


def real(shape, low, high):
    """Multiples of 1/16 in [low, high), exact in every float type."""
    count = int(np.prod(shape, dtype=np.int64))
    return (np.floor((low + _random(count) * (high - low)) * 16) / 16).reshape(shape)


def as_f32(x):
    """A number as it arrives when it travels as an f32 attribute."""
    return float(np.float32(x))


class number:
    """Values of a stated dtype."""

    def __init__(self, dtype, values):
        self.dtype, self.shape = dtype, np.shape(values)
        self.values = np.array(values, dtype=object).ravel() if np.size(values) else []


class absent:
    pass


def _value(dtype, v):
    if dtype[0] == "c":
        return " ".join(_value("f64", part) for part in (v.real, v.imag))
    if dtype == "real" or dtype[0] == "f" or dtype == "bf16":
        return repr(float(v)).replace(".0", "") if float(v).is_integer() and abs(v) < 1e15 else repr(float(v))
    return str(int(v))


def _tensor(t):
    if isinstance(t, absent):
        return "absent"
    dtype, shape, values = (t.dtype, t.shape, t.values) if isinstance(t, number) else ("real", np.shape(t), np.ravel(t))
    return " ".join([dtype, "x".join(map(str, shape)) or "-"] + [_value(dtype, v) for v in values])


def _attribute(name, v):
    if isinstance(v, number):
        return f"attr {name} t {_tensor(v)}"
    kinds = {int: "i", float: "f", str: "s"}
    if isinstance(v, list):
        return f"attr {name} {kinds[type(v[0])]}s " + " ".join(map(str, v))
    return f"attr {name} {kinds[type(v)]} {v}"


class Writer:
    """Attributes are keywords; one that is called as another argument, `scale`, has an underscore behind."""

    def __init__(self):
        self.lines = []

    def case(self, op, opset, inputs, outputs, scale=None, **attrs):
        self.lines.append(f"case {op} {opset}")
        self.lines += [_attribute(name.rstrip("_"), v) for name, v in attrs.items()]
        self.lines += ["in " + _tensor(t) for t in inputs]
        self.lines += ["out " + _tensor(t) for t in outputs]
        if scale is not None:
            self.lines.append(f"scale {scale!r}")
        self.lines.append("end")

    def save(self, path):
        text = "# Written by make_vectors.py; vectors.py describes the format.\n" + "\n".join(self.lines) + "\n"
        pathlib.Path(path).write_text(re.sub(r"[ ]+\n", "\n", text))


w = Writer()
