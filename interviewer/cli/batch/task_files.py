"""A task's folder as data: it is sent to each node once, identified by a digest of its content."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

DIGEST_CHARACTERS = 16


def digest_of(*parts: bytes) -> str:
    """Return a digest of these parts; splitting the same bytes differently changes the digest."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()[:DIGEST_CHARACTERS]


@dataclass(frozen=True)
class TaskFiles:
    """The files in a task's folder, by relative path."""

    area: str
    id: str
    files: Mapping[str, bytes]

    @classmethod
    def read(cls, folder: Path) -> TaskFiles:
        """Read a task's folder, except for compiled Python files."""
        folder = folder.resolve()
        paths = [path for path in sorted(folder.rglob("*")) if path.is_file() and "__pycache__" not in path.parts]
        files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
        return cls(folder.parent.name, folder.name, files)

    @cached_property
    def digest(self) -> str:
        """Return a digest of the names and contents of all files."""
        named = (part for name, data in sorted(self.files.items()) for part in (name.encode(), data))
        return digest_of(self.area.encode(), self.id.encode(), *named)

    def write(self, root: Path) -> Path:
        """Write the files to a folder below `root` that is named after the digest, and return that folder."""
        folder = root / self.digest / self.area / self.id
        for name, data in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        return folder
