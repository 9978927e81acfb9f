"""Records which tasks have passed the gate; each record of a task is called a proof.

A recorded proof is valid only for the task content, the code and the versions that it was made with. A proof's digest
covers the programs and declarations in the task's folder, the number of seeds, and all project code that the proof can
run. Prose, comments and docstrings are not part of a digest: the gate compares the statement with coverage.toml every
time. A digest contains no information about the machine, so a committed proof applies on every machine. The versions
are stored next to the digests: torch determines how numbers are rounded, and Python's ast determines the mutants. If
either version differs, no recorded proof is valid.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.metadata
import json
import sys
import time
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
RECORD = Path(__file__).with_name("proofs.json")
FORMAT = 1
# The modules that verify a task; the digest includes everything they import, directly or indirectly.
ENTRY_MODULES = ("graders.gate.proof", "tasks.load")
OWN_PACKAGES = ("graders", "tasks")
# The keys that contain only prose, grouped by task.toml table ("" is the top level); they do not affect the outcome of
# any program.
PROSE = {
    "": ("after_pass", "aliases", "hint", "level", "minutes", "seeds", "source", "title", "topics"),
    "mistake": ("ask", "wrong"),
    "equivalent": ("reason",),
}
PROSE_FILES = ("coverage.toml", "statement.md")


@dataclass(frozen=True)
class Proven:
    """One recorded proof: its digest, its date (UTC), and the counts that reports add up."""

    digest: str
    day: str
    mistakes: int
    mutants_killed: int
    mutants_equivalent: int


def today() -> str:
    """Return the date in UTC, for example 2026-01-31."""
    return time.strftime("%Y-%m-%d", time.gmtime())


def versions() -> dict[str, str]:
    """Return the versions of torch and Python that a proof depends on; torch's build tag, such as +cpu, is omitted."""
    torch = importlib.metadata.version("torch").partition("+")[0]
    return {"torch": torch, "python": f"{sys.version_info.major}.{sys.version_info.minor}"}


def read_record(path: Path = RECORD) -> dict[str, Proven]:
    """Return the recorded proofs by task id; empty if the file is missing, corrupt, or made for different versions.

    Ignoring an unusable record is safe and only costs time: tasks missing from the record are proven again.
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
    """Write these proofs, replacing all others."""
    data = {
        "format": FORMAT,
        "versions": versions(),
        "proofs": {task: asdict(proofs[task]) for task in sorted(proofs)},
    }
    path.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


def digest_of(folder: Path, seeds: int) -> str:
    """Return one digest of a task's proven content, the code that proves it, and the number of seeds."""
    return hashlib.sha256(f"{seeds}\0".encode() + code_digest() + _content_digest(folder)).hexdigest()


def _content_digest(folder: Path) -> bytes:
    """Return the digest of a task's files, excluding prose; it is the same on every machine."""
    contents = {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }
    contents |= {
        name: _program_of(content, has_lines=name == "reference.py")
        for name, content in contents.items()
        if name.endswith(".py")
    }
    # If a case's `settled_by` quotes a sentence of the statement, the task's proof is valid only as long as the
    # statement contains that sentence. If no case of the task uses `settled_by`, the digest does not cover the files in
    # `PROSE_FILES`.
    if b"settled_by" not in contents.get("cases.py", b""):
        contents = {name: content for name, content in contents.items() if name not in PROSE_FILES}
    if "task.toml" in contents:
        contents["task.toml"] = _declarations_of(contents["task.toml"])
    digest = hashlib.sha256()
    for name, content in sorted(contents.items()):
        digest.update(f"{name}\0{len(content)}\0".encode() + content)
    return digest.digest()


def _program_of(content: bytes, *, has_lines: bool) -> bytes:
    """Return a program without comments or docstrings; the whole file if it cannot be parsed.

    If `has_lines` is true, each statement's line number is added, because task.toml names mutants of the reference by
    line number.
    """
    try:
        lines = (
            [node.lineno for node in ast.walk(ast.parse(content)) if isinstance(node, ast.stmt)] if has_lines else []
        )
        return f"{code_of(content)} {lines}".encode()
    except (SyntaxError, ValueError):
        return content


def _declarations_of(content: bytes) -> bytes:
    """Return the declarations in a task.toml without its prose; the whole file if it cannot be parsed."""
    try:
        fields: dict[str, Any] = tomllib.loads(content.decode())
    except ValueError:
        return content
    for place, names in PROSE.items():
        tables = fields.get(place, []) if place else [fields]
        for table in tables if isinstance(tables, list) else []:
            for name in names if isinstance(table, dict) else ():
                table.pop(name, None)
    return json.dumps(fields, sort_keys=True, default=str).encode()


@cache
def code_digest(entry_modules: tuple[str, ...] = ENTRY_MODULES, packages: tuple[str, ...] = OWN_PACKAGES) -> bytes:
    """Return one digest of all project modules that the entry modules can run.

    The digest covers the parsed code without docstrings, so rewording a comment does not require a new proof.
    """
    digest = hashlib.sha256()
    for name, path in sorted(proving_modules(entry_modules, packages).items()):
        digest.update(f"{name}\0{code_of(path.read_bytes())}\0".encode())
    return digest.digest()


# Most modules belong to many digests.
@cache
def code_of(source: bytes) -> str:
    """Return a module's code as text, without comments, docstrings or line numbers."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            has_docstring = ast.get_docstring(node, clean=False) is not None
            node.body = node.body[has_docstring:]
    return ast.dump(tree)


def proving_modules(
    entry_modules: tuple[str, ...] = ENTRY_MODULES, packages: tuple[str, ...] = OWN_PACKAGES
) -> dict[str, Path]:
    """Return the modules of these packages that the entry modules import, directly or indirectly, with their files."""
    modules: dict[str, Path] = {}
    waiting = list(entry_modules)
    while waiting:
        name = waiting.pop()
        path = _file_of(name) if name.partition(".")[0] in packages else None
        if name in modules or path is None:
            continue
        modules[name] = path
        waiting.append(name.rpartition(".")[0])
        waiting += _imports_of(path.read_bytes())
    return modules


@cache
def _imports_of(source: bytes) -> tuple[str, ...]:
    """Return the names that a module's code imports anywhere: modules, and what may be a module or a name in one."""
    names: list[str] = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return tuple(names)


def _file_of(module: str) -> Path | None:
    """Return the file of a project module; None for a name that is not a module."""
    base = ROOT.joinpath(*module.split("."))
    return next((path for path in (base.with_suffix(".py"), base / "__init__.py") if path.is_file()), None)


def files_digest(root: Path, files: Iterable[Path]) -> bytes:
    """Return a digest of the files' names and contents; it is the same on every machine."""
    digest = hashlib.sha256()
    for name, path in sorted((path.relative_to(root).as_posix(), path) for path in files):
        content = path.read_bytes()
        digest.update(f"{name}\0{len(content)}\0".encode() + content)
    return digest.digest()
