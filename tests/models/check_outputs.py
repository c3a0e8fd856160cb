"""Judges the outputs of a case, DIRECTORY/NAME.npy, against ONNX Runtime's: f32 may differ by 2e-3 of the value plus 1e-4 of
the output's range, integers not at all. Prints the worst of each output. Usage: check_outputs.py CASE DIRECTORY"""
import json
import pathlib
import sys

import numpy as np
from cases import file_name

HERE = pathlib.Path(__file__).parent
RELATIVE, OF_RANGE = 2e-3, 1e-4


def fault(name, reference, path):
    """What is wrong with one output, or an empty text."""
    if not path.exists():
        return f"{path} is missing"
    want = np.load(HERE / "references" / reference["file"])
    whole = np.load(path)
    if list(whole.shape) != reference["dims"] or whole.dtype != want.dtype:
        return f"{whole.dtype} {list(whole.shape)}, not {want.dtype} {reference['dims']}"
    got = whole.ravel()[::reference["stride"]]
    allowed = np.zeros(want.shape)
    if np.issubdtype(want.dtype, np.floating):
        allowed = RELATIVE * np.abs(want.astype(np.float64)) + OF_RANGE * (reference["max"] - reference["min"])
    error = np.abs(got.astype(np.float64) - want.astype(np.float64))
    wrong = ~(error <= allowed)  # NaN is wrong
    worst = int(np.argmax(np.where(wrong, np.inf, error / np.maximum(allowed, 1e-300))))
    print(f"{name}: worst error {error[worst]:.3g} of {allowed[worst]:.3g} allowed, got {got[worst]}, want {want[worst]}")
    return f"{wrong.sum()} of {want.size} elements are wrong" if wrong.any() else ""


def main(case, directory):
    references = json.loads((HERE / "references.json").read_text())[case]["outputs"]
    faults = {name: fault(name, reference, pathlib.Path(directory) / f"{file_name(name)}.npy") for name, reference in references.items()}
    for name, text in faults.items():
        if text:
            print(f"{case}: {name}: {text}", file=sys.stderr)
    sys.exit(1 if any(faults.values()) else 0)


main(*sys.argv[1:])
