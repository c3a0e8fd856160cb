"""Writes ONNX files: as much of the protobuf messages of onnx.proto as plain graphs need. The bytes depend on the calls
alone. Nodes are named by scope, operator and count, as PyTorch's exporter names them."""
import collections
import contextlib
import struct

import numpy as np

FLOAT, INT64 = 1, 7  # TensorProto.DataType
ELEMENT_TYPES = {np.dtype("<f4"): FLOAT, np.dtype("<i8"): INT64}
ATTRIBUTE_FLOAT, ATTRIBUTE_INT, ATTRIBUTE_TENSOR, ATTRIBUTE_INTS = 1, 2, 4, 7  # AttributeProto.AttributeType


def varint(value):
    value &= (1 << 64) - 1  # negative numbers are written in two's complement
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def integer(field, value):
    return varint(field << 3) + varint(value)


def blob(field, value):
    """Text, bytes and nested messages."""
    value = value.encode() if isinstance(value, str) else value
    return varint(field << 3 | 2) + varint(len(value)) + value


def tensor(array, name=""):
    dims = b"".join(integer(1, extent) for extent in array.shape)
    return dims + integer(2, ELEMENT_TYPES[array.dtype]) + (blob(8, name) if name else b"") + blob(9, array.tobytes())


def attribute(name, value):
    if isinstance(value, float):
        return blob(1, name) + varint(2 << 3 | 5) + struct.pack("<f", value) + integer(20, ATTRIBUTE_FLOAT)
    if isinstance(value, int):
        return blob(1, name) + integer(3, value) + integer(20, ATTRIBUTE_INT)
    if isinstance(value, np.ndarray):
        return blob(1, name) + blob(5, tensor(value)) + integer(20, ATTRIBUTE_TENSOR)
    return blob(1, name) + b"".join(integer(8, each) for each in value) + integer(20, ATTRIBUTE_INTS)


def value_info(name, element_type, dims):
    """An extent is a number or, as a text, the name of a symbol."""
    shape = b"".join(blob(1, blob(2, each) if isinstance(each, str) else integer(1, each)) for each in dims)
    return blob(1, name) + blob(2, blob(1, integer(1, element_type) + blob(2, shape)))


class GraphWriter:
    def __init__(self, name, opset, domains=()):
        """Of each of `domains` version 1 is imported."""
        self.name, self.opset, self.domains = name, opset, domains
        self.parts = collections.defaultdict(list)  # by the field of GraphProto they go to
        self.path = ""
        self.counts = collections.Counter()

    @contextlib.contextmanager
    def scope(self, name):
        before, self.path = self.path, f"{self.path}/{name}"
        yield
        self.path = before

    def node(self, op, *inputs, output="", domain="", **attributes):
        """Returns the name of the one output. Inputs are names; an empty one is an optional input left out."""
        name = f"{self.path}/{op}"
        self.counts[name] += 1
        if self.counts[name] > 1:
            name += f"_{self.counts[name] - 1}"
        output = output or f"{name}_output_0"
        body = b"".join(blob(1, each) for each in inputs) + blob(2, output) + blob(3, name) + blob(4, op)
        body += b"".join(blob(5, attribute(*each)) for each in attributes.items())
        self.parts[1].append(body + (blob(7, domain) if domain else b""))
        return output

    def constant(self, values, dtype):
        return self.node("Constant", value=np.array(values, dtype))

    def f32(self, value):
        return self.constant(value, "<f4")

    def i64(self, values):
        return self.constant(values, "<i8")

    def initializer(self, name, array):
        self.parts[5].append(tensor(array, name))
        return name

    def input(self, name, element_type, dims):
        self.parts[11].append(value_info(name, element_type, dims))
        return name

    def output(self, name, element_type, dims):
        self.parts[12].append(value_info(name, element_type, dims))

    def save(self, path, ir_version=8):
        with open(path, "wb") as file:
            graph = b"".join(blob(field, part) for field in (1, 5, 11, 12) for part in self.parts[field]) + blob(2, self.name)
            imports = blob(8, integer(2, self.opset)) + b"".join(blob(8, blob(1, each) + integer(2, 1)) for each in self.domains)
            file.write(integer(1, ir_version) + blob(2, "daybreak") + blob(7, graph) + imports)
