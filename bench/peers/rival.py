"""Measures one model with one rival, in the Python environment that the rival is installed in.
Usage: rival.py RIVAL MODEL INPUTS.npz RUNS OUTPUTS.npz; prints a JSON object with first_ms, median_ms and min_ms. Outputs are
written for comparison."""
import json
import os
import sys
import time

import numpy as np

THREADS = len(os.sched_getaffinity(0))


def onnxruntime_options(ort):
    options = ort.SessionOptions()
    options.intra_op_num_threads = THREADS
    options.log_severity_level = 3
    return options


def runner(session, provider):
    if session.get_providers()[0] != provider:
        sys.exit(f"{provider} is not available: {session.get_providers()}")
    names = [each.name for each in session.get_outputs()]
    return lambda inputs: dict(zip(names, session.run(names, inputs)))


def onnxruntime_session(model, provider):
    import onnxruntime as ort
    return runner(ort.InferenceSession(model, onnxruntime_options(ort), providers=[provider]), provider)


def onnxruntime_plugin(model):
    import onnxruntime as ort
    import onnxruntime_ep_webgpu as plugin
    ort.register_execution_provider_library("webgpu", plugin.get_library_path())
    name = plugin.get_ep_name()
    devices = [each for each in ort.get_ep_devices() if each.ep_name == name]
    if not devices:
        sys.exit("the plugin lists no device: it passes over software adapters")
    options = onnxruntime_options(ort)
    options.add_provider_for_devices(devices[:1], {})  # it takes one alone
    return runner(ort.InferenceSession(model, options), name)


def openvino_cpu(model):
    import openvino as ov
    core = ov.Core()
    compiled = core.compile_model(model, "CPU", {"PERFORMANCE_HINT": "LATENCY", "INFERENCE_NUM_THREADS": THREADS,
                                                    "INFERENCE_PRECISION_HINT": "f32"})
    request = compiled.create_infer_request()

    def run(inputs):
        results = request.infer(inputs)
        return {port.get_any_name(): results[port] for port in compiled.outputs}
    return run


RIVALS = {
    "onnxruntime_webgpu": lambda model: onnxruntime_session(model, "WebGpuExecutionProvider"),
    "onnxruntime_webgpu_plugin": onnxruntime_plugin,
    "onnxruntime_cpu": lambda model: onnxruntime_session(model, "CPUExecutionProvider"),
    "openvino_cpu": openvino_cpu,
}


def milliseconds(run, inputs):
    start = time.perf_counter()
    run(inputs)
    return (time.perf_counter() - start) * 1e3


def main(rival, model, inputs_file, runs, outputs_file):
    with np.load(inputs_file) as file:
        inputs = dict(file)
    run = RIVALS[rival](model)
    first = milliseconds(run, inputs)
    np.savez(outputs_file, **run(inputs))
    times = [milliseconds(run, inputs) for _ in range(int(runs))]
    print(json.dumps({"first_ms": first, "median_ms": float(np.median(times)), "min_ms": min(times)} if times else {}))


if __name__ == "__main__":  # packages may start processes that read this file again
    main(*sys.argv[1:])
