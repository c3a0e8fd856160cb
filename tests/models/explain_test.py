"""What `explain` tells of a model on a GPU: family, tile and reason of every product, the form of products of one input in every layer, and for
each step what the reports have of that very step. With times from `tune`, reasons are measured.
Usage: explain_test.py DAYBREAK MODEL LAYERS [--tuned]; DAYBREAK_PLUGIN names the plugin. Status 77: there is no GPU."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent / "host" / "models"))
from packing_test import EXTENTS  # noqa: E402
from run_model import has_gpu  # noqa: E402
from table import cache_directory  # noqa: E402


def told(daybreak, command, model, *more):
    arguments = [daybreak, command, str(cache_directory() / f"{model}.onnx"), "--device", "gpu", *more]
    for extent in EXTENTS[model]:
        arguments += ["--dim", extent]
    return subprocess.run(arguments, check=True, capture_output=True, text=True).stdout


def is_product(step):
    return "MatMul" in step["op"] or "Gemm" in step["op"]


def step_faults(lines, report):
    """Of the lines of steps, in order."""
    steps = [step for segment in report["schedule"]["segments"] for step in segment["steps"]]
    rows = {row["step"]: row for row in report["placement"]["nodes"] if "step" in row}
    if len(lines) != len(steps):
        yield f"{len(lines)} lines for {len(steps)} steps"
    for line, step in zip(lines, steps):
        row = rows[step["step"]]
        choice = row.get("choice")
        if is_product(step) and not (choice and choice["family"] and choice["tile"] and choice["reason"]):
            yield f"a product without family, tile or reason: {row}"
        expected = [step["kernel"]] + ([f"  {choice['family']}, {choice['tile']}  because {choice['reason']}"] if choice else [row["reason"]])
        for part in expected:
            if part not in line:
                yield f"no '{part}' in: {line}"


def projection_faults(lines, report, layers):
    rows = report["placement"]["projections"]
    if len(rows) != layers or len(lines) != layers:
        yield f"{len(rows)} layers in the report and {len(lines)} in the text, not {layers}"
    for line, row in zip(lines, rows):
        if f": {row['form']}  because {row['reason']}" not in line or not row["reason"]:
            yield f"no '{row['form']}' with a reason in: {line}"


def measured_faults(report):
    for row in report["placement"]["nodes"]:
        choice = row.get("choice", {})
        if choice.get("product") and not choice["reason"].startswith("measured "):
            yield f"not measured: {choice}"
    for row in report["placement"]["projections"]:
        if "measured_us" not in row:
            yield f"not measured: {row}"


def faults_of(daybreak, model, layers, tuned):
    report = json.loads(told(daybreak, "explain", model, "--json"))
    lines = told(daybreak, "explain", model).splitlines()
    blocks = {"steps": [], "projections": []}
    for line in lines:
        if not line.startswith("  "):
            block = blocks["steps"] if line.startswith("segment ") else blocks["projections"] if line.startswith("products of one input") else []
        else:
            block.append(line)
    yield from step_faults(blocks["steps"], report)
    yield from projection_faults(blocks["projections"], report, layers)
    if sum(is_product(step) for segment in report["schedule"]["segments"] for step in segment["steps"]) < 4 * layers:
        yield "a layer has four products at the least"
    if tuned:
        yield from measured_faults(report)


def main(daybreak, model, layers, tuned=""):
    if not has_gpu(daybreak):
        print("skipped: there is no usable GPU")
        return 77
    with tempfile.TemporaryDirectory() as cache:
        if tuned:
            os.environ["DAYBREAK_CACHE_DIR"] = cache
            tuned = told(daybreak, "tune", model, "--budget", "600000")
            if not re.search(r"^products of one input .*\n  \d+ rows x .*: (packed|split|plain)  measured packed .*, plain .*, split ", tuned, re.MULTILINE):
                print("tune tells no times of forms")
                return 1
        faults = list(faults_of(daybreak, model, int(layers), bool(tuned)))
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
