"""Records which tasks are proven; a recorded proof counts only for exactly the content, code and versions it names.

A digest covers the task's folder, the number of seeds, and every module that a proof can run. It contains nothing of
the machine, so that a proof that is committed counts on all of them. The versions stand beside the digests: torch
decides how numbers are rounded, and Python's ast which mutants there are. Under other versions no proof counts.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.metadata
import json
import sys
import time
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
RECORD = Path(__file__).with_name("proofs.json")
FORMAT = 1
# What proves a task: everything that these import, directly or not, enters the digest.
ENTRY_MODULES = ("graders.gate.proof", "tasks.load")
OWN_PACKAGES = ("graders", "tasks")


@dataclass(frozen=True)
class Proven:
    """Hold one recorded proof: what was proven, on which day (UTC), and the counts that a report sums up."""

    digest: str
    day: str
    mistakes: int
    mutants_killed: int
    mutants_equivalent: int


def today() -> str:
    """Return the day in UTC, as 2026-01-31."""
    return time.strftime("%Y-%m-%d", time.gmtime())


def versions() -> dict[str, str]:
    """Return the versions for which a proof counts; torch's build, such as +cpu, is left out."""
    torch = importlib.metadata.version("torch").partition("+")[0]
    return {"torch": torch, "python": f"{sys.version_info.major}.{sys.version_info.minor}"}


def read_record(path: Path = RECORD) -> dict[str, Proven]:
    """Return the recorded proofs by task id; none where the file is missing, damaged or for other versions.

    A record that cannot be used costs time and never a proof: what is not in it is proven again.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if (data["format"], data["versions"]) != (FORMAT, versions()):
            return {}
        return {
            task: Proven(**{field.name: entry[field.name] for field in fields(Proven)})
            for task, entry in data["proofs"].items()
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


def write_record(proofs: Mapping[str, Proven], path: Path = RECORD) -> None:
    """Write these proofs and no others."""
    data = {
        "format": FORMAT,
        "versions": versions(),
        "proofs": {task: asdict(proofs[task]) for task in sorted(proofs)},
    }
    path.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


def digest_of(folder: Path, seeds: int) -> str:
    """Return the digest of a task's files, of the code that proves them, and of the number of seeds."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc")
    return hashlib.sha256(f"{seeds}\0".encode() + code_digest() + _files_digest(folder, files)).hexdigest()


@cache
def code_digest() -> bytes:
    """Return the digest of every module of ours that a proof can run."""
    return _files_digest(ROOT, proving_modules().values())


def proving_modules() -> dict[str, Path]:
    """Return the modules of ours that the gate's proof imports, directly or not, with their files."""
    modules: dict[str, Path] = {}
    waiting = list(ENTRY_MODULES)
    while waiting:
        name = waiting.pop()
        path = _file_of(name)
        if name in modules or path is None:
            continue
        modules[name] = path
        waiting.append(name.rpartition(".")[0])
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Import):
                waiting += [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module:
                waiting += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return modules


def _file_of(module: str) -> Path | None:
    """Return the file of a module of ours; None for a module of another project, and for a name that is no module."""
    if module.partition(".")[0] not in OWN_PACKAGES:
        return None
    base = ROOT.joinpath(*module.split("."))
    return next((path for path in (base.with_suffix(".py"), base / "__init__.py") if path.is_file()), None)


def _files_digest(root: Path, files: Iterable[Path]) -> bytes:
    """Return a digest of names and contents, in an order that is the same everywhere."""
    digest = hashlib.sha256()
    for name, path in sorted((path.relative_to(root).as_posix(), path) for path in files):
        content = path.read_bytes()
        digest.update(f"{name}\0{len(content)}\0".encode() + content)
    return digest.digest()
