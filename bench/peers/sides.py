"""Who is measured. Each side runs in a process of its own per round and answers with first_ms, median_ms and min_ms."""
import functools
import json
import os
import pathlib
import subprocess
import sys

import numpy as np
from jobs import Unavailable
from table import cache_directory  # found by jobs

HERE = pathlib.Path(__file__).parent
GPU, CPU = "gpu", "cpu"
# onnxruntime and onnxruntime-webgpu own one module, so they have environments of their own; so has what some machines lack a package of.
ENVIRONMENTS = {"webgpu": ["onnxruntime-webgpu==1.27.0"], "plugin": ["onnxruntime==1.31.1", "onnxruntime-ep-webgpu==0.4.0"],
                "cpu": ["onnxruntime==1.31.1", "openvino==2026.4.1"]}


def answer(*command, **variables):
    """The JSON object that a command prints."""
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, env=os.environ | variables)
    if done.returncode != 0:
        raise Unavailable((done.stderr.strip() or f"status {done.returncode}").splitlines()[-1])
    return json.loads(done.stdout)


@functools.cache
def installed(environment):
    """The Python of an environment, which is made where it is not there yet; None where it cannot be."""
    place = cache_directory().parent / "peers" / environment
    packages = ENVIRONMENTS[environment]
    stamp = place / "packages.json"
    if not stamp.exists() or json.loads(stamp.read_text()) != packages:
        print(f"installing {', '.join(packages)} into {place}", file=sys.stderr)
        try:
            subprocess.run([sys.executable, "-m", "venv", "--clear", place], check=True)
            subprocess.run([place / "bin" / "pip", "install", "--quiet", *packages], check=True)
        except subprocess.CalledProcessError:
            return None
        stamp.write_text(json.dumps(packages))
    return place / "bin" / "python"


class Daybreak:
    def __init__(self, build, device, tuned):
        self.program, self.device, self.name = build / "daybreak", device, f"daybreak_{device}"
        # Times that an earlier `daybreak tune` left in the cache would make ratios of two machines, or two days, something else.
        self.variables = {} if tuned else {"DAYBREAK_AUTOTUNE": "off"}

    def info(self):
        return answer(self.program, "info", "--json", DAYBREAK_CALIBRATION="off")

    def version(self):
        plugin = self.info()["plugin"]
        return f"{plugin['version']}, {plugin['build']}"

    def arguments(self, directory, inputs):
        options = ["--device", self.device]
        for index, (name, array) in enumerate(inputs.items()):
            np.save(directory / f"{index}.npy", array)
            options += ["--input", f"{name}={directory / f'{index}.npy'}"]
        return options

    def outputs(self, job, model, directory, inputs):
        answer(self.program, "run", model, "--repeat", 0, "--json", "--out", directory / self.name, *self.arguments(directory, inputs),
               **self.variables)
        return {path.stem: np.load(path) for path in (directory / self.name).glob("*.npy")}

    def figures(self, job, model, directory, inputs):
        # Rivals send their inputs in every run.
        return answer(self.program, "bench", model, "--json", "--force-upload", "--repeat", job.runs, *self.arguments(directory, inputs),
                      **self.variables)


class Rival:
    """One that is installed by pip and takes ONNX files (rival.py)."""

    def __init__(self, name, device, environment, package):
        self.name, self.device, self.environment, self.package = name, device, environment, package

    def version(self):
        code = "import importlib.metadata, json, sys; print(json.dumps(importlib.metadata.version(sys.argv[1])))"
        return f"{self.package} {answer(self.python(), '-c', code, self.package)}"

    def python(self):
        python = installed(self.environment)
        if not python:
            raise Unavailable(f"{', '.join(ENVIRONMENTS[self.environment])} could not be installed")
        return python

    def call(self, model, directory, inputs, runs):
        np.savez(directory / "inputs.npz", **inputs)
        return answer(self.python(), "-B", HERE / "rival.py", self.name, model, directory / "inputs.npz", runs,
                      directory / f"{self.name}.npz")

    def outputs(self, job, model, directory, inputs):
        self.call(model, directory, inputs, 0)
        with np.load(directory / f"{self.name}.npz") as file:
            return dict(file)

    def figures(self, job, model, directory, inputs):
        return self.call(model, directory, inputs, job.runs)


class Product:
    """One without ONNX files: a program runs the products alone with it, and checks its result itself."""

    def __init__(self, name, device, library, program, *arguments, **variables):
        self.name, self.device, self.library, self.program = name, device, library, program
        self.arguments, self.variables = arguments, variables

    def version(self):
        self.require_program()
        return f"{self.library} {answer(self.program, '--version')}"

    def require_program(self):
        if not self.program.exists():
            raise Unavailable(f"the build found no {self.library}")

    def outputs(self, job, model, directory, inputs):
        self.require_program()
        if not job.product:
            raise Unavailable("has no model of this job")
        return {}

    def figures(self, job, model, directory, inputs):
        return answer(self.program, *self.arguments, *job.product, job.runs, **self.variables)


def all_sides(build, tuned):
    ggml = build / "daybreak_ggml_matmul"
    return [
        Daybreak(build, GPU, tuned),
        Rival("onnxruntime_webgpu", GPU, "webgpu", "onnxruntime-webgpu"),
        Rival("onnxruntime_webgpu_plugin", GPU, "plugin", "onnxruntime-ep-webgpu"),
        Product("ggml_vulkan", GPU, "ggml", ggml, "Vulkan", GGML_VK_VISIBLE_DEVICES="0"),  # by default it passes over software devices
        Daybreak(build, CPU, tuned),
        Rival("onnxruntime_cpu", CPU, "cpu", "onnxruntime"),
        Rival("openvino_cpu", CPU, "cpu", "openvino"),
        Product("onednn", CPU, "oneDNN", build / "daybreak_onednn_matmul", OMP_WAIT_POLICY="passive"),  # as the command has it
        Product("ggml_cpu", CPU, "ggml", ggml, "CPU"),
    ]
