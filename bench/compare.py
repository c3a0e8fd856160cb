#!/usr/bin/env python3
"""compare.py BEFORE.json AFTER.json: two result files of Google Benchmark (--benchmark_out=FILE --benchmark_repetitions=N), name by name.

Compares medians of the repetitions. A ratio above 1 means that AFTER is faster. With --limit PERCENT the exit status is 1 where anything is
slower by more than that.
"""
import argparse
import json
import math
import re
import statistics
import sys

NANOSECONDS = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}


def medians(document, time="real_time"):
    """Nanoseconds by name. Aggregates that the file has, and benchmarks that failed, do not count."""
    samples = {}
    for row in document["benchmarks"]:
        if row.get("run_type", "iteration") != "iteration" or row.get("error_occurred"):
            continue
        samples.setdefault(row.get("run_name", row["name"]), []).append(row[time] * NANOSECONDS[row["time_unit"]])
    return {name: statistics.median(values) for name, values in samples.items()}


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
        document["benchmarks"][0:0]
        return document
    except (OSError, ValueError, KeyError, TypeError) as error:
        sys.exit(f"compare.py: {path} is no result file of Google Benchmark: {error!r}")


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("before"), parser.add_argument("after")
    parser.add_argument("--filter", default="", metavar="REGEX", help="only names that match")
    parser.add_argument("--cpu", action="store_true", help="CPU time instead of real time")
    parser.add_argument("--limit", type=float, metavar="PERCENT", help="status 1 where anything is slower by more")
    options = parser.parse_args(arguments)
    before, after = ({name: value for name, value in medians(load(path), "cpu_time" if options.cpu else "real_time").items()
                      if re.search(options.filter, name)} for path in (options.before, options.after))
    rows, gone, new = compare(before, after)
    print(table(rows))
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
