"""usage: same_bits.py OPS_SUITE KIND:FAMILY... - runs families of the op suite twice on GPUs of a kind (device_list.h), each time in a
process of its own, and compares the digests of the bits of all results: kernels must repeat themselves, whatever the order in which groups
and threads run."""
import re
import subprocess
import sys

SKIPPED = 77  # there is no device
ROW = re.compile(r"^  (\w+): \d+ cases, .* bits ([0-9a-f]{16});", re.MULTILINE)


def digests(suite, kind, family):
    run = subprocess.run([suite, family, kind], capture_output=True, text=True)
    if run.returncode == SKIPPED:
        sys.exit(SKIPPED)
    rows = dict(ROW.findall(run.stdout))
    if run.returncode != 0 or not rows:
        sys.exit(f"{kind}:{family}: exit status {run.returncode}\n{run.stdout}{run.stderr}")
    return rows


def main(suite, families):
    changed = []
    for each in families:
        kind, family = each.split(":")
        first, second = digests(suite, kind, family), digests(suite, kind, family)
        changed += [f"{kind}:{row}" for row in first | second if first.get(row) != second.get(row)]
        print(f"{each}: {len(first)} rows")
    if changed:
        sys.exit(f"the bits of {', '.join(changed)} differ between two runs")


main(sys.argv[1], sys.argv[2:])
