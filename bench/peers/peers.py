"""Measures Daybreak and its rivals on the same models, inputs and device and prints how many times as fast Daybreak is.
Rounds alternate between the sides, so that a busy moment hits all of them, and ratios are taken within a round.
Usage: ./dev bench peers [--jobs PART,...] [--sides PART,...] [--rounds N] [--tuned] [--out DIRECTORY]"""
import argparse
import json
import os
import pathlib
import re
import statistics
import sys
import tempfile

import numpy as np
from jobs import JOBS, Unavailable
from sides import all_sides

import chart

SCHEMA = "daybreak.peers/3"
BELOW_A_PROMISE = 1  # status
EVERY_SIDE = "all"  # among the names of remarks
RTOL, ATOL_OF_RANGE = 2e-3, 1e-4  # of f32 outputs; all sides compute in f32, in orders of their own


def read_arguments():
    parser = argparse.ArgumentParser(prog="./dev bench peers", description="Daybreak and its rivals, side by side",
                                     epilog=f"The status is {BELOW_A_PROMISE} where Daybreak is not as many times as fast as promised; "
                                            "promises of which a side could not be measured are listed and change nothing.")
    parser.add_argument("--build", type=pathlib.Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--jobs", metavar="PART,...", default="", help="jobs whose name contains one of these")
    parser.add_argument("--sides", metavar="PART,...", default="", help="sides whose name contains one of these")
    parser.add_argument("--rounds", type=int, default=5, help="measurements of each side and job (default 5)")
    parser.add_argument("--tuned", action="store_true", help="let Daybreak use the times that `daybreak tune` has left in the cache; else "
                                                             "its rules decide between kernels (DAYBREAK_AUTOTUNE=off)")
    parser.add_argument("--out", type=pathlib.Path, help="where peers.json and peers.svg go (default: beside the build)")
    return parser.parse_args()


def chosen(things, parts):
    return [each for each in things if any(part in each.name for part in parts.split(","))]


def instruction_set():
    flags = next((line for line in open("/proc/cpuinfo") if line.startswith("flags")), "").split()
    return next((name for flag, name in (("avx512f", "AVX-512"), ("avx2", "AVX2")) if flag in flags), "other")


def machine(sides, tuned):
    """What figures depend on besides the jobs: where two files differ in it, their times do not compare."""
    versions = {side.name: answer_or_reason(side.version) for side in sides}
    facts = {"isa": instruction_set(), "threads": len(os.sched_getaffinity(0)), "tuned": tuned, "versions": versions}
    for side in sides:
        if side.name == f"daybreak_{side.device}":
            facts |= adapter_of(side.info(), side.device)
    return facts


def answer_or_reason(ask):
    try:
        return ask()
    except Unavailable as error:
        return f"unavailable: {error}"


def adapter_of(info, device):
    """Name and driver of the device that a side of ours uses, and the commit of the plugin, from `daybreak info`."""
    known = [each for each in info["devices"] if (each["kind"] == "cpu") == (device == "cpu") and each["usable"]]
    best = max(known, key=lambda each: each["score"], default={})
    commit = re.search(r"commit (\w+)", info["plugin"]["build"])
    return {f"{device}_adapter": best.get("name"), f"{device}_driver": best.get("driver"), "commit": commit and commit[1]}


def difference(outputs, reference):
    """What is wrong with outputs, or an empty text."""
    for name, expected in reference.items():
        got = outputs.get(name)
        if got is None or got.shape != expected.shape:
            return f"{name} is missing or has another shape"
        bound = RTOL * np.abs(expected) + ATOL_OF_RANGE * np.ptp(expected)
        if not np.all(np.abs(got - expected) <= bound):
            return f"{name} differs by {np.max(np.abs(got - expected)):g}"
    return ""


def able(sides, job, model, directory, inputs):
    """The sides that can run the job, and remarks by name: why not, or how outputs differ from those of the first."""
    taking_part, remarks, reference = [], {}, None
    for side in sides:
        try:
            outputs = side.outputs(job, model, directory, inputs)
        except Unavailable as error:
            remarks[side.name] = str(error)
            continue
        taking_part.append(side)
        reference = reference or outputs
        if wrong := outputs and difference(outputs, reference):
            remarks[side.name] = f"its result is another one: {wrong}"
    return taking_part, remarks


def measure(sides, job, rounds, directory, isa):
    result = {"job": job.name, "samples": {}, "remarks": {}, "ratios": {}, "floors": promised(job, isa)}
    try:
        inputs, model = job.inputs(), job.path(directory)
    except Unavailable as error:
        return result | {"remarks": {EVERY_SIDE: str(error)}}
    taking_part, remarks = able(sides, job, model, directory, inputs)
    samples = {side.name: [] for side in taking_part}
    for number in range(rounds):
        for side in list(taking_part):
            show(f"{job.name}: round {number + 1} of {rounds}, {side.name}")
            try:
                samples[side.name].append(side.figures(job, model, directory, inputs))
            except Unavailable as error:
                taking_part.remove(side)
                remarks[side.name] = f"round {number + 1}: {error}"
    show("")
    return result | {"samples": samples, "remarks": remarks, "ratios": ratios(taking_part, samples)}


def promised(job, isa):
    """Ratios by rival."""
    return {name: floors[isa == "AVX-512"] for name, floors in job.floors.items()}


def show(progress):
    """On a terminal, in place of what was shown before."""
    if sys.stderr.isatty():
        print(f"\r\033[K{progress}", end="", file=sys.stderr, flush=True)


def ratios(sides, samples):
    """Time of each rival over Daybreak's on the same kind of device: the median over rounds."""
    def medians(name):
        return [each["median_ms"] for each in samples.get(name, [])]
    return {side.name: statistics.median(theirs / ours for theirs, ours in zip(medians(side.name), medians(f"daybreak_{side.device}")))
            for side in sides if not side.name.startswith("daybreak") and medians(f"daybreak_{side.device}")}


def print_row(result):
    print(result["job"])
    for name, figures in result["samples"].items():
        if not figures:
            continue
        text = f"  {name:<26} {statistics.median(each['median_ms'] for each in figures):10.2f} ms"
        if name in result["ratios"]:
            text += f"   Daybreak is {result['ratios'][name]:6.2f} times as fast"
        if name in result["floors"]:
            text += f" (promised: {result['floors'][name]})"
        print(text)
    for name, remark in result["remarks"].items():
        print(f"  {name:<26} {remark}")
    sys.stdout.flush()


def rivals_in(results):
    """Names of all rivals that were to be measured."""
    names = dict.fromkeys(name for result in results for name in [*result["ratios"], *result["remarks"]])
    return [name for name in names if name != EVERY_SIDE and not name.startswith("daybreak")]


def print_table(results):
    """A line for each job, a column for each rival; what is below its promise has a mark. Below, why a rival has no figure at all."""
    title, rivals = "times as fast as", rivals_in(results)
    width = max(len(title), *(len(result["job"]) for result in results))
    wide = {name: max(8, len(name)) for name in rivals}
    print(f"\n{title:<{width}} {'  '.join(f'{name:>{wide[name]}}' for name in rivals)}")
    for result in results:
        cells = []
        for name in rivals:
            ratio, floor = result["ratios"].get(name), result["floors"].get(name, 0)
            cells.append(f"{'-' if ratio is None else f'{ratio:.2f}':>{wide[name] - 1}}{' ' if ratio is None or ratio >= floor else '!'}")
        print(f"{result['job']:<{width}} {'  '.join(cells)}")
    for name in rivals:
        if not any(name in result["ratios"] for result in results):
            print(f"{name}: {'; '.join(dict.fromkeys(result['remarks'][name] for result in results if name in result['remarks']))}")


def missed(results):
    """Promises that were not kept, and those of which nothing is known, as texts."""
    below, unknown = [], []
    for result in results:
        for name, floor in result["floors"].items():
            ratio = result["ratios"].get(name)
            if ratio is None:
                unknown.append(f"{result['job']} against {name}")
            elif ratio < floor:
                below.append(f"{result['job']} against {name}: {ratio:.2f} instead of {floor}")
    return below, unknown


def store(out, facts, results):
    out.mkdir(parents=True, exist_ok=True)
    (out / "peers.json").write_text(json.dumps({"schema": SCHEMA, "machine": facts, "results": results}, indent=1) + "\n")
    (out / "peers.svg").write_text(chart.svg(results))


def main():
    options = read_arguments()
    sides, jobs = chosen(all_sides(options.build, options.tuned), options.sides), chosen(JOBS, options.jobs)
    if not sides or not jobs or options.rounds < 1:
        sys.exit("nothing to measure: no such side or job, or no rounds")
    facts = machine(sides, options.tuned)
    out, results = options.out or options.build, []
    for job in jobs:
        with tempfile.TemporaryDirectory() as scratch:
            results.append(measure(sides, job, options.rounds, pathlib.Path(scratch), facts["isa"]))
        print_row(results[-1])
        store(out, facts, results)
    print_table(results)
    print(f"instruction set {facts['isa']}; {out / 'peers.json'}, {out / 'peers.svg'}")
    below, unknown = missed(results)
    for what, jobs in (("below its promise", below), ("promised, but not measured", unknown)):
        if jobs:
            print(f"{what}: {'; '.join(jobs)}")
    return BELOW_A_PROMISE if below else 0


if __name__ == "__main__":
    sys.exit(main())
