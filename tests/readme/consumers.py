"""Installs a build and uses it as README.md says: by CMake's find_package, by pkg-config, and by the installed command.

usage: consumers.py BUILD SCRATCH. The CMakeLists.txt and the commands (```sh consumer) are the text of README.md; the program is
examples/gelu.c. The result must not depend on where the build lay, so it is installed to a place the build was not told.
"""

import os
import pathlib
import shutil
import subprocess
import sys

from markdown import README, code_blocks, commands

RESULT = "y = [[-0.1002, 2.9960], [-0.1587, 0.3457]]"


def run(*command: str, **options) -> str:
    print("+", *command, flush=True)
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, **options)
    print(done.stdout, end="", flush=True)
    if done.returncode != 0:
        sys.exit(f"{command[0]} ended with status {done.returncode}")
    return done.stdout


def expect(holds: bool, complaint: str) -> None:
    if not holds:
        sys.exit(complaint)


def only(blocks: list, what: str):
    expect(len(blocks) == 1, f"README.md must have one block of {what}, not {len(blocks)}")
    return blocks[0]


def main(build: str, scratch: str) -> int:
    shutil.rmtree(scratch, ignore_errors=True)
    prefix, consumer = pathlib.Path(scratch, "prefix").resolve(), pathlib.Path(scratch, "consumer").resolve()
    consumer.mkdir(parents=True)
    run("cmake", "--install", build, "--prefix", str(prefix), env=dict(os.environ, DESTDIR=""))
    blocks = code_blocks(README.read_text())
    project = only([b for b in blocks if b.info == ["cmake"]], "cmake")
    shell = only([b for b in blocks if b.info == ["sh", "consumer"]], "sh consumer")
    (consumer / "CMakeLists.txt").write_text("\n".join(project.lines) + "\n")
    shutil.copy(README.parent / "examples" / "gelu.c", consumer / "host.c")

    # Nothing but PREFIX is added to the environment: what the commands need besides, a user would lack too.
    output = run("bash", "-euxc", "\n".join(commands(shell)), cwd=consumer, env=dict(os.environ, PREFIX=str(prefix)))
    results = output.splitlines().count(RESULT)
    expect(results == 2, f"the consumers printed the result {results} times, not twice: once built by CMake, once with pkg-config")

    shown = run(str(prefix / "bin" / "daybreak"), "info", env=dict(os.environ, DAYBREAK_GPU="0"))
    expect(f"({prefix}/" in shown, "the installed command does not use the installed plugin")
    print("installed, found by CMake and by pkg-config, run")
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
