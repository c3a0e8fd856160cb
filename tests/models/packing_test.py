"""How arenas are packed for a model: within 1.15 times the largest live set, or the report names what fills each arena.
Usage: packing_test.py DAYBREAK DEVICE MODEL; DAYBREAK_PLUGIN names the plugin. Status 77: there is no GPU."""
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent / "host" / "models"))
from run_model import has_gpu  # noqa: E402
from table import cache_directory  # noqa: E402

CLOSE = 1.15
# Extents that a run has; one that is left open would stand for 1.
EXTENTS = {
    "minilm-f32": ["batch_size=2", "sequence_length=128"],
    "minilm-int8w": ["batch=2", "sequence=128"],
    "magika": ["unk__214=1"],
    "orientation": ["DynamicDimension.0=1"],
    "open-nsfw": ["unk__653=1"],
    "silero-16k-op15": ["batch=1", "sequence=576"],
    "silero-seq": ["sequence_length=8"],
}


def fault_of(space):
    """What is wrong with a space of the report, None where nothing is."""
    ratio = space["arena_bytes"] / space["live_bytes"]
    if abs(ratio - space["ratio"]) > 1e-6 or ratio < 1:
        return f"the ratio of {space['arena_bytes']} and {space['live_bytes']} bytes is given as {space['ratio']}"
    if ratio <= CLOSE:
        return None
    for arena in space.get("forced_by", []):
        if max((v["offset"] + v["bytes"] for v in arena["values"]), default=0) != arena["bytes"] or not all(v["name"] for v in arena["values"]):
            return f"arena {arena['arena']} of {arena['bytes']} bytes is not filled by what is named: {arena['values']}"
    return None if sum(a["bytes"] for a in space.get("forced_by", [])) == space["arena_bytes"] else "not every arena is accounted for"


def main(daybreak, device, model):
    if device == "gpu" and not has_gpu(daybreak):
        print("skipped: there is no usable GPU")
        return 77
    command = [daybreak, "explain", str(cache_directory() / f"{model}.onnx"), "--device", device, "--json"]
    for extent in EXTENTS.get(model, []):
        command += ["--dim", extent]
    plan = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["plan"]
    faults = []
    for space in plan["packing"]:
        print(f"{model} on {device}, {space['space']}: arenas {space['arena_bytes']}, largest live set {space['live_bytes']}, {space['ratio']:.3f}")
        faults.append(fault_of(space))
    arenas = sum(space["arena_bytes"] for space in plan["packing"])
    if arenas != plan["arena_bytes"]:
        faults.append(f"arenas of {plan['arena_bytes']} bytes, of which {arenas} are accounted for")
    for fault in filter(None, faults):
        print(fault)
    return 1 if any(faults) else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
