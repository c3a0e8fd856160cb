"""Checks that code shown in README.md is code of the tree: a block marked ```c examples/gelu.c is a run of lines of that file.

usage: excerpts.py
"""

import sys
import textwrap

from markdown import README, code_blocks


def main() -> int:
    faults, checked = [], 0
    for block in code_blocks(README.read_text()):
        language, source = block.info[0] if block.info else "", block.info[1] if len(block.info) > 1 else ""
        if language not in ("c", "cpp", "rust"):
            continue
        checked += 1
        file = README.parent / source
        if not source or not file.is_file():
            faults.append(f"README.md:{block.line_number}: the fence of {language} code names the file it is taken from, not '{source}'")
            continue
        shown = textwrap.dedent("\n".join(block.lines)).splitlines()
        lines = file.read_text().splitlines()
        starts = range(len(lines) - len(shown) + 1)
        if not any(textwrap.dedent("\n".join(lines[i : i + len(shown)])).splitlines() == shown for i in starts):
            faults.append(f"README.md:{block.line_number}: these {len(shown)} lines are not in {source}; copy them from there")
    print("\n".join(faults + [f"{checked} excerpts, {len(faults)} faults"]))
    return 1 if faults or checked == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
