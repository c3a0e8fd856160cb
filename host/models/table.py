"""The table of models (models.toml) and the place where they are kept: models/ in the user's cache of Daybreak.

A model is every file whose name begins with its id and a dot: `minilm-f32` is minilm-f32.onnx, minilm-f32.vocab.txt ...
"""
import hashlib
import os
import pathlib
import tomllib
from dataclasses import dataclass


class Failure(Exception):
    """Something the user has to know; its text is the message."""


def cache_directory():
    base = pathlib.Path(os.environ.get("XDG_CACHE_HOME", ""))
    if not base.is_absolute():  # as the XDG specification wants it
        base = pathlib.Path.home() / ".cache"
    return base / "daybreak" / "models"


@dataclass(frozen=True)
class File:
    """Has a member, when it comes out of a package, or made_by and made_from, when a module here makes it."""

    name: str
    bytes: int
    sha256: str
    member: str = ""
    made_by: str = ""
    made_from: str = ""

    @property
    def model(self):
        return self.name.split(".")[0]

    @property
    def path(self):
        return cache_directory() / self.name

    def objection(self, path):
        """Why the file at `path` is not this one, or an empty text."""
        size = path.stat().st_size
        if size != self.bytes:
            return f"it has {size} bytes, not {self.bytes}"
        with open(path, "rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
        return "" if digest == self.sha256 else f"its SHA-256 is {digest}, not {self.sha256}"

    def is_cached(self):
        return self.path.is_file() and not self.objection(self.path)


@dataclass(frozen=True)
class Package:
    name: str
    version: str
    licence: str
    download_bytes: int
    files: tuple

    @property
    def requirement(self):
        return f"{self.name}=={self.version}"

    def models(self):
        return sorted({file.model for file in self.files})


def read_table():
    with open(pathlib.Path(__file__).with_name("models.toml"), "rb") as stream:
        rows = tomllib.load(stream)["package"]
    return [Package(**{**row, "files": tuple(File(name, **of) for name, of in row["files"].items())}) for row in rows]
