"""Reads .safetensors: 8 bytes of header length, a JSON header, then the tensors' bytes. Anything odd is a Failure."""
import json
import math

import numpy as np

from table import Failure

DTYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "i1", "U8": "u1", "BOOL": "?"}


def read_safetensors(path):
    """Every tensor by name, as read-only views of the file."""
    try:
        data = np.memmap(path, np.uint8, "r")
        length = int.from_bytes(data[:8].tobytes(), "little")
        if data.size < 8 or length > data.size - 8:
            raise ValueError("the header is longer than the file")
        header = json.loads(data[8:8 + length].tobytes())
        return {name: tensor(data[8 + length:], **of) for name, of in header.items() if name != "__metadata__"}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise Failure(f"{path}: {error}") from None


def tensor(body, dtype, shape, data_offsets):
    begin, end = data_offsets
    kind = np.dtype(DTYPES[dtype])
    if not 0 <= begin <= end <= body.size or end - begin != math.prod(shape) * kind.itemsize:
        raise ValueError(f"bytes {begin} to {end} cannot hold {dtype} {shape}")
    return body[begin:end].view(kind).reshape(shape)
