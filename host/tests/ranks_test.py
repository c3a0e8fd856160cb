"""What `info --measure --json` says of the order of devices: each has a rank of its own and a measured reason, and a software adapter stands
behind the CPU, unless it is better in every figure. Usage: ranks_test.py DAYBREAK PLUGIN"""
import json
import subprocess
import sys

REASON, BEHIND = "measured: a reference run", ("times that of the fastest", "behind the CPU, whose cores it shares")


def better_in_everything(one, other):
    """By two lists of figures, which have null for what a device lacks; what both lack is no doubt."""
    def better(name):
        a, b = one[name], other[name]
        if a is None or b is None:
            return a is None and b is None
        return a < b if name.endswith("_microseconds") else a > b
    return all(better(name) for name in one if isinstance(one[name], (int, float, type(None))))


def faults(devices):
    devices = [each for each in devices if each["usable"]]
    if sorted(each["rank"] for each in devices) != list(range(1, len(devices) + 1)):
        yield f"ranks are {[each['rank'] for each in devices]}"
    for each in devices:
        if not each["why"].startswith(REASON) or not each["measured"]["matmul_f32_gigaflops"] > 0:
            yield f"{each['name']} has no measured reason: {each['why']}"
    cpu = next(each for each in devices if each["kind"] == "cpu")
    for each in devices:
        if each["kind"] != "software_gpu":
            continue
        best = better_in_everything(each["measured"], cpu["measured"])
        if each["rank"] < cpu["rank"] and not best:
            yield f"{each['name']} comes before the CPU: {each['measured']} and {cpu['measured']}"
        if each["rank"] > cpu["rank"] and not any(part in each["why"] for part in BEHIND):
            yield f"nothing says why {each['name']} stands behind the CPU: {each['why']}"


def device(kind, rank, why=REASON, **figures):
    measured = {"round_trip_microseconds": 10, "matmul_f32_gigaflops": 50, "matmul_f16_gigaflops": None} | figures
    return {"name": kind, "usable": True, "kind": kind, "rank": rank, "why": why, "measured": measured}


def check_itself():
    """That it notices what it is for."""
    behind = f"{REASON}, 2.0 times that of the fastest"
    right = [[device("cpu", 1), device("software_gpu", 2, behind)],
             [device("cpu", 2), device("software_gpu", 1, round_trip_microseconds=9, matmul_f32_gigaflops=51)]]
    wrong = [[device("cpu", 2), device("software_gpu", 1, round_trip_microseconds=9)], [device("cpu", 1), device("software_gpu", 2)],
             [device("cpu", 1, "not measured"), device("software_gpu", 2, behind)], [device("cpu", 1), device("software_gpu", 1, behind)],
             [device("cpu", 2), device("software_gpu", 1, round_trip_microseconds=9, matmul_f32_gigaflops=51, matmul_f16_gigaflops=1)]]
    assert not any(list(faults(devices)) for devices in right) and all(list(faults(devices)) for devices in wrong)


def main(daybreak, plugin):
    check_itself()
    done = subprocess.run([daybreak, "info", "--measure", "--json", "--plugin", plugin], check=True, capture_output=True, text=True)
    found = list(faults(json.loads(done.stdout)["devices"]))
    print("\n".join(found) or "ranks are as they should be")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
