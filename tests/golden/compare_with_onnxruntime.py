"""Runs the cases of com.microsoft in the files given (that make_vectors.py and make_composites.py have written) with ONNX Runtime, in f32:
the formulas of this folder against the ops they stand for. For a virtual environment with onnxruntime; no test, and no part of the build.
Prints what differs and what ONNX Runtime's CPU refuses (packed operands, for instance).
"""
import sys

import numpy as np
import onnxruntime
from onnx import TensorProto, helper

DOMAIN = "com.microsoft"
TYPES = {"real": (np.float32, TensorProto.FLOAT), "f32": (np.float32, TensorProto.FLOAT), "i32": (np.int32, TensorProto.INT32),
         "i64": (np.int64, TensorProto.INT64), "bool": (np.bool_, TensorProto.BOOL)}


def tensor(words):
    if words[0] == "absent":
        return None
    dims = [] if words[1] == "-" else [int(d) for d in words[1].split("x")]
    parse = float if words[0] in ("real", "f32") else int
    return words[0], np.array([parse(v) for v in words[2:]], dtype=TYPES[words[0]][0]).reshape(dims)


def attribute(words):
    parse = {"i": int, "f": float, "s": str}[words[0][0]]
    values = [parse(v) for v in words[1:]]
    return values if len(words[0]) > 1 else values[0]


def cases(path):
    case = None
    for line in open(path):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        if words[0] == "case":
            case = {"op": words[1], "attrs": {}, "in": [], "out": []} if words[1].startswith(DOMAIN) else None
        elif case and words[0] in ("in", "out"):
            case[words[0]].append(tensor(words[1:]))
        elif case and words[0] == "attr":
            case["attrs"][words[1]] = attribute(words[2:])
        elif case and words[0] == "end":
            yield case


def session(case):
    inputs = {f"x{i}": t for i, t in enumerate(case["in"]) if t}
    node = helper.make_node(case["op"].split(".")[-1], [f"x{i}" if t else "" for i, t in enumerate(case["in"])],
                            [f"y{i}" for i in range(len(case["out"]))], domain=DOMAIN, **case["attrs"])
    graph = helper.make_graph([node], "one", [helper.make_tensor_value_info(n, TYPES[t][1], v.shape) for n, (t, v) in inputs.items()],
                              [helper.make_tensor_value_info(f"y{i}", TYPES[t][1], None) for i, (t, _) in enumerate(case["out"])])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20), helper.make_opsetid(DOMAIN, 1)], ir_version=9)
    made = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    return made.run(None, {name: value for name, (_, value) in inputs.items()})


def judge(case):
    try:
        outputs = session(case)
    except Exception as error:  # of ONNX Runtime, whose classes have no common name
        return "refused: " + str(error)[-160:]
    for i, (actual, (_, expected)) in enumerate(zip(outputs, case["out"])):
        if actual.shape != expected.shape or not np.allclose(actual, expected, rtol=1e-4, atol=1e-5):
            return f"output {i} differs"
    return "equal"


def main(paths):
    onnxruntime.set_default_logger_severity(4)
    verdicts = []
    for path in paths:
        for case in cases(path):
            verdicts.append(judge(case))
            if verdicts[-1] != "equal":
                print(case["op"], case["attrs"], [t and t[1].shape for t in case["in"]], verdicts[-1])
    print(len(verdicts), "cases,", verdicts.count("equal"), "equal")
    return any("differs" in verdict for verdict in verdicts)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
