"""Writes references.json and references/: the outputs of every case by ONNX Runtime on the CPU. Needs the packages
onnxruntime (1.31 made the files here) and numpy, for example in a virtual environment; takes the models from the cache:
    ./dev models all && python make_references.py
Of an output with many elements every n-th is kept, counted over the flattened tensor."""
import json
import math
import pathlib
import shutil
import sys

import numpy as np
import onnxruntime

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent / "host" / "models"))
from cases import CASES, file_name  # noqa: E402
from table import cache_directory  # noqa: E402

MOST_ELEMENTS = 1024


def session(model):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1  # the same sums in the same order on every machine
    return onnxruntime.InferenceSession(str(cache_directory() / f"{model}.onnx"), options, providers=["CPUExecutionProvider"])


def kept(case, name, array):
    """Writes the sample of an output and returns its entry."""
    stride = math.ceil(array.size / MOST_ELEMENTS)
    while stride > 1 and math.gcd(stride, array.size) > 1:  # else the same columns would be kept of every row
        stride += 1
    file = f"{case}.{file_name(name)}.npy"
    np.save(HERE / "references" / file, array.ravel()[::stride])
    return {"file": file, "dims": list(array.shape), "stride": stride, "min": float(array.min()), "max": float(array.max())}


def main():
    shutil.rmtree(HERE / "references", ignore_errors=True)
    (HERE / "references").mkdir()
    entries = {}
    for case, (model, inputs) in CASES.items():
        runtime = session(model)
        outputs = zip([output.name for output in runtime.get_outputs()], runtime.run(None, inputs()))
        entries[case] = {"model": model, "outputs": {name: kept(case, name, array) for name, array in outputs}}
    (HERE / "references.json").write_text(json.dumps(entries, indent=1) + "\n")


main()
