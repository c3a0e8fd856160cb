#!/usr/bin/env python3
"""Provides models: fetch.py ID... puts their files into the cache, unless they are there, and prints the paths.
Every file is checked against the hash in models.toml each time. Without ID the models are listed; `all` means every one.
"""
import argparse
import contextlib
import fcntl
import importlib
import os
import shutil
import signal
import sys

from download import download
from table import Failure, cache_directory, read_table


def say(text):
    print(f"models: {text}", file=sys.stderr, flush=True)


@contextlib.contextmanager
def scratch_directory():
    """One process at a time writes to the cache, and what one that was killed left behind is discarded."""
    cache = cache_directory()
    cache.mkdir(parents=True, exist_ok=True)
    scratch = cache / ".partial"
    with open(cache / ".lock", "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("another process is fetching; waiting for it")
            fcntl.flock(lock, fcntl.LOCK_EX)
        shutil.rmtree(scratch, ignore_errors=True)
        scratch.mkdir()
        try:
            yield scratch
        finally:
            shutil.rmtree(scratch, ignore_errors=True)


def make(file, scratch):
    result = scratch / file.name
    try:
        importlib.import_module(file.made_by).write(cache_directory() / file.made_from, result)
    except ModuleNotFoundError as error:
        raise Failure(f"making {file.name} needs the Python module {error.name} (Debian: python3-{error.name})") from None
    if objection := file.objection(result):
        raise Failure(f"{file.name} was not made as it should be: {objection}; nothing was kept")
    os.replace(result, file.path)


def provide(package, files):
    if all(file.is_cached() for file in files):
        return
    with scratch_directory() as scratch:
        missing = [file for file in files if not file.is_cached()]  # another process may have brought them
        packed = [file for file in missing if file.member]
        if packed:
            say(f"fetching {', '.join(file.name for file in packed)} ({package.requirement}, licence {package.licence}, "
                f"{package.download_bytes / 1e6:.0f} MB)")
            download(package, packed, scratch)
        for file in missing:
            if file.made_by:
                make(file, scratch)


def list_models(table):
    for package in table:
        for model in package.models():
            files = [file for file in package.files if file.model == model]
            state = "cached" if all(file.is_cached() for file in files) else "-"
            size = sum(file.bytes for file in files) / 1e6
            print(f"{model:<16} {state:<7} {size:6.1f} MB  {package.licence:<12} {package.requirement}")


def run(arguments):
    table = read_table()
    known = [model for package in table for model in package.models()]
    wanted = known if "all" in arguments.model else list(dict.fromkeys(arguments.model))
    if unknown := [model for model in wanted if model not in known]:
        raise Failure(f"no model '{unknown[0]}'; there are: {', '.join(known)}")
    if not wanted:
        return list_models(table)
    for package in table:
        provide(package, [file for file in package.files if file.model in wanted])
    for model in wanted:  # in the order that was asked for
        for file in (file for package in table for file in package.files if file.model == model):
            print(file.path)


def main():
    parser = argparse.ArgumentParser(prog="models", description="Fetches models by name into the cache and prints their paths.")
    parser.add_argument("model", metavar="ID", nargs="*", help="a model, or `all`; without any the models are listed")
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # so that what was begun is cleaned up
    try:
        run(arguments)
        sys.stdout.flush()
    except KeyboardInterrupt:
        sys.exit(128 + signal.SIGINT)
    except (Failure, OSError) as error:
        say(f"error: {error}")
        with contextlib.suppress(OSError, ValueError):  # what could not be printed must not fail again at exit
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)


if __name__ == "__main__":
    main()
