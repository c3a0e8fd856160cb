"""Runs every case of a model through `daybreak run` and judges the outputs against ONNX Runtime's.
Usage: run_model.py DAYBREAK DEVICE MODEL SCRATCH; DAYBREAK_PLUGIN names the plugin. Status 77: there is no GPU."""
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent / "host" / "models"))
from cases import CASES  # noqa: E402
from table import cache_directory  # noqa: E402


def script(name, *arguments):
    return [sys.executable, "-B", str(HERE / name), *map(str, arguments)]


def has_gpu(daybreak):
    info = json.loads(subprocess.run([daybreak, "info", "--json"], check=True, capture_output=True, text=True).stdout)
    return any(device["usable"] and device["kind"] != "cpu" for device in info["devices"])


def run_case(daybreak, device, model, case, place):
    """True where the outputs are right; whatever is said goes to the log of the test."""
    options = subprocess.run(script("write_inputs.py", case, place / "inputs"), check=True, capture_output=True, text=True).stdout
    for old in place.glob("*.npy"):  # what an earlier run left is not judged
        old.unlink()
    command = [daybreak, "run", str(cache_directory() / f"{model}.onnx"), "--device", device, "--repeat", "0", "--out", str(place)]
    print(f"{case} on {device}", flush=True)
    if subprocess.run(command + options.splitlines()).returncode != 0:
        return False
    return subprocess.run(script("check_outputs.py", case, place)).returncode == 0


def main(daybreak, device, model, scratch):
    if device == "gpu" and not has_gpu(daybreak):
        print("skipped: there is no usable GPU")
        return 77
    cases = [case for case, (used, _) in CASES.items() if used == model]
    right = [run_case(daybreak, device, model, case, pathlib.Path(scratch) / device / case) for case in cases]
    print(f"{right.count(True)} of {len(cases)} cases are right")
    return 0 if cases and all(right) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
