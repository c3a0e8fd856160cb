"""Runs the commands that README.md shows, one after the other in the source tree, inside the build environment.

usage: commands.py SCRATCH. Blocks marked ```sh count; those marked ```sh consumer belong to consumers.py.
"""

import os
import pathlib
import subprocess
import sys
import time

from markdown import README, code_blocks, commands

# Commands that cannot run in a test, and why.
NOT_RUN = {
    "./dev test": "this test is part of it",
    "./dev build release": "compiles everything a second time; what it makes is checked by building dev",
    "./dev exec cmake --install build/release --prefix build/installed": "needs that build; consumers.py installs build/dev",
}


def run(command: str, environment: dict[str, str]) -> bool:
    start = time.monotonic()
    done = subprocess.run(["bash", "-euc", command], cwd=README.parent, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace")
    print(f"{'ok  ' if done.returncode == 0 else 'FAIL'} {time.monotonic() - start:5.1f} s  {command}", flush=True)
    if done.returncode != 0:
        print(f"{done.stdout}status {done.returncode}")
    return done.returncode == 0


def main(scratch: str) -> int:
    shown = [command for block in code_blocks(README.read_text()) if block.info == ["sh"] for command in commands(block)]
    stale = [command for command in NOT_RUN if command not in shown]
    for command in stale:
        print(f"FAIL README.md does not show this any more, so it needs no excuse: {command}")
    for command, why in NOT_RUN.items():
        print(f"not run: {command}: {why}")
    pathlib.Path(scratch).mkdir(parents=True, exist_ok=True)
    environment = dict(os.environ, CARGO_TARGET_DIR=scratch)  # the tree stays clean
    wanted = [command for command in shown if command not in NOT_RUN]
    failed = [command for command in wanted if not run(command, environment)]
    print(f"{len(wanted) - len(failed)} of {len(wanted)} commands ran, {len(NOT_RUN)} cannot run here")
    return 1 if failed or stale or not wanted else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
