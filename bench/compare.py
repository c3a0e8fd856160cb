#!/usr/bin/env python3
"""compare.py BEFORE.json AFTER.json: two result files of Google Benchmark (--benchmark_out=FILE --benchmark_repetitions=N), or two peers.json, name by name.

Compares medians of the repetitions, or of the rounds. A ratio above 1 means that AFTER is faster. With --limit PERCENT the exit status is 1 where anything is
slower by more than that.
"""
import argparse
import json
import math
import re
import statistics
import sys

PEERS = "daybreak.peers/"
NANOSECONDS = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}


def medians_of_peers(document):
    """Nanoseconds by JOB/SIDE."""
    return {f"{result['job']}/{side}": statistics.median(each["median_ms"] for each in rounds) * NANOSECONDS["ms"]
            for result in document["results"] for side, rounds in result["samples"].items() if rounds}


def medians(document, time="real_time"):
    """Nanoseconds by name. Aggregates that the file has, and benchmarks that failed, do not count."""
    if is_of_peers(document):
        return medians_of_peers(document)
    samples = {}
    for row in document["benchmarks"]:
        if row.get("run_type", "iteration") != "iteration" or row.get("error_occurred"):
            continue
        samples.setdefault(row.get("run_name", row["name"]), []).append(row[time] * NANOSECONDS[row["time_unit"]])
    return {name: statistics.median(values) for name, values in samples.items()}


def is_of_peers(document):
    return str(document.get("schema", "")).startswith(PEERS)


def other_conditions(before, after):
    """What two peers.json say of the machines, where it is not the same: "NAME: BEFORE, now AFTER"."""
    def flat(document):
        facts = document.get("machine", {})
        return {key: value for key, value in facts.items() if key != "versions"} | facts.get("versions", {})
    a, b = flat(before), flat(after)
    return [f"{key}: {a.get(key)}, now {b.get(key)}" for key in a | b if a.get(key) != b.get(key)]


def compare(before, after):
    """(name, before, after, ratio) of the names that both have, in BEFORE's order; and the names that only one has."""
    both = [(name, before[name], after[name], before[name] / after[name] if after[name] else math.inf) for name in before if name in after]
    return both, [name for name in before if name not in after], [name for name in after if name not in before]


def duration(nanoseconds):
    for unit in ("s", "ms", "us"):
        if nanoseconds >= NANOSECONDS[unit]:
            return f"{nanoseconds / NANOSECONDS[unit]:.3g} {unit}"
    return f"{nanoseconds:.3g} ns"


def table(rows):
    width = max([len("benchmark"), *(len(name) for name, *_ in rows)])
    lines = [f"{'benchmark':<{width}}  {'before':>10}  {'after':>10}  times as fast"]
    lines += [f"{name:<{width}}  {duration(a):>10}  {duration(b):>10}  {ratio:13.2f}" for name, a, b, ratio in rows]
    ratios = [ratio for *_, ratio in rows if 0 < ratio < math.inf]
    if ratios:
        lines.append(f"{'geometric mean':<{width}}  {'':>10}  {'':>10}  {statistics.geometric_mean(ratios):13.2f}")
    return "\n".join(lines)


def load(path):
    try:
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
        document["results" if is_of_peers(document) else "benchmarks"][0:0]
        return document
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        sys.exit(f"compare.py: {path} is no result file of Google Benchmark, nor a peers.json: {error!r}")


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("before"), parser.add_argument("after")
    parser.add_argument("--filter", default="", metavar="REGEX", help="only names that match")
    parser.add_argument("--cpu", action="store_true", help="CPU time instead of real time")
    parser.add_argument("--limit", type=float, metavar="PERCENT", help="status 1 where anything is slower by more")
    options = parser.parse_args(arguments)
    documents = [load(path) for path in (options.before, options.after)]
    if options.cpu and any(map(is_of_peers, documents)):
        sys.exit("compare.py: a peers.json has no CPU times")
    before, after = ({name: value for name, value in medians(document, "cpu_time" if options.cpu else "real_time").items()
                      if re.search(options.filter, name)} for document in documents)
    rows, gone, new = compare(before, after)
    print(table(rows))
    for line in other_conditions(*documents):
        print(f"not the same: {line}")
    for what, names in (("only before", gone), ("only after", new)):
        if names:
            print(f"{what}: {', '.join(names)}")
    if not rows:
        sys.exit("compare.py: the files have no benchmark in common")
    slower = [name for name, *_, ratio in rows if options.limit is not None and ratio < 1 / (1 + options.limit / 100)]
    if slower:
        print(f"slower by more than {options.limit:g} %: {', '.join(slower)}")
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
