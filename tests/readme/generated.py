"""Parts of README.md that are written from what the plugin answers."""

import difflib
import json
import os
import subprocess
import sys

from markdown import README

MEND = "./dev build dev readme"


def info(daybreak: str) -> dict:
    """What `daybreak info` says without a GPU."""
    environment = dict(os.environ, DAYBREAK_GPU="0")
    return json.loads(subprocess.run([daybreak, "info", "--json"], check=True, stdout=subprocess.PIPE, env=environment).stdout)


def write_or_check(action: str, name: str, wanted_part: str) -> int:
    """Replaces the part of that name, or says how it differs."""
    begin, end = f"<!-- {name}: generated, do not edit -->\n", f"<!-- {name}: end -->\n"
    text = README.read_text()
    if text.count(begin) != 1 or text.count(end) != 1:
        sys.exit(f"README.md must have one line {begin.strip()} and one {end.strip()}")
    head, rest = text.split(begin)
    wanted = head + begin + wanted_part + end + rest.split(end)[1]
    if action == "write":
        README.write_text(wanted)
    elif wanted != text:
        sys.stdout.writelines(difflib.unified_diff(text.splitlines(True), wanted.splitlines(True), "README.md", "the plugin"))
        print(f"The table of {name} in README.md is not what the plugin answers. This mends it: {MEND}")
        return 1
    return 0


def main(usage: str, name: str, table) -> int:
    if len(sys.argv) != 3 or sys.argv[1] not in ("write", "check"):
        sys.exit(usage)
    return write_or_check(sys.argv[1], name, table(sys.argv[2]))
