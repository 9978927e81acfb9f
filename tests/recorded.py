"""Skips a test of one task, question or attack if nothing that affects it has changed since it last passed.

Such a test is marked `recorded` with a function from its parameters to a `Subject`. recorded.json has the digest of the
subject's files, of the test's code and of all project code that it imports, under the versions of Python and torch. One
in twenty runs anyway, at random. `make proofs` runs what changed and writes the record; INTERVIEWER_RECORDED=all runs
everything.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from graders.gate.record import ROOT, code_digest, digest_of, files_digest, versions

RECORD = Path(__file__).with_name("recorded.json")
PACKAGES = ("graders", "interviewer", "sandbox", "tasks", "tests")
SHARE_AGAIN = 0.05
MODE = os.environ.get("INTERVIEWER_RECORDED", "")
PROPERTY = "recorded"
_BANK = tuple(ROOT / folder for folder in ("interviewer/bank", "interviewer/examiner", "tests/bank"))
GRADER = tuple(
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for package in ("graders", "sandbox")
    for path in sorted((ROOT / package).rglob("*.py"))
)
_DATA = (".json", ".safetensors", ".toml", ".txt")
UNCHANGED = "unchanged since it last passed (tests/recorded.py)"


@dataclass(frozen=True)
class Subject:
    """The subject of a test: the task folders and files that it reads, the machine if it matters, and started modules.

    Tests with the same name share an entry in the record; without a name, each set of parameters has its own.
    """

    name: str
    paths: tuple[Path, ...]
    machine: str = ""
    modules: tuple[str, ...] = ()


def whole_bank(_: object) -> Subject:
    """Return all questions, gold answers, stored answers and the matcher as one subject.

    The matcher's weights and its encoder are used by a child process, which no test imports.
    """
    files = tuple(sorted(path for folder in _BANK for path in folder.rglob("*") if path.suffix in _DATA))
    return Subject("", files, modules=("interviewer.examiner.matching.encoder",))


def code_alone(_: object) -> Subject:
    """Return the subject of a test that reads no files."""
    return Subject("", ())


def grader(_: object) -> Subject:
    """Return the subject of a test that starts real workers or cells: all of the grader's code, and this machine.

    The code that such processes run is not imported by the test.
    """
    return Subject("", (), machine(), GRADER)


def machine() -> str:
    """Return what determines a sandbox's behavior here: the kernel, the engine and the image."""
    return f"{kernel()} {engine()}".rstrip()


def kernel() -> str:
    """Return the kernel's major and minor version; its patches and builds do not change a sandbox's rules."""
    return ".".join(platform.release().split(".")[:2])


@cache
def engine() -> str:
    """Return the version of the Docker engine and the image's tag; "" without an engine."""
    from sandbox.docker.cleanup import status
    from sandbox.docker.image import image_tag
    from sandbox.job import SandboxError

    try:
        return f"{status().engine_version} {image_tag()}"
    except SandboxError:
        return ""


@cache
def read_record() -> dict[str, str]:
    """Return the recorded digests by test and subject; empty if the versions differ."""
    data = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}
    return dict(data["digests"]) if data.get("versions") == versions() else {}


def why_skipped(item: pytest.Item) -> str:
    """Return why a test need not run, or "" if it must; add its key and digest to its reports."""
    mark = item.get_closest_marker("recorded")
    if mark is None:
        return ""
    assert isinstance(item, pytest.Function)
    subject_of: Callable[[dict[str, Any]], Subject] = mark.kwargs["subject_of"]
    case = getattr(item, "callspec", None)
    subject = subject_of(case.params if case else {})
    name = subject.name or (case.id if case else "")
    key = f"{item.path.relative_to(ROOT).as_posix()}::{item.originalname}[{name}]"
    digest = _digest(item.module.__name__, subject)
    if not any(name == PROPERTY for name, _ in item.user_properties):
        item.user_properties.append((PROPERTY, (key, digest)))
    is_same = MODE != "all" and read_record().get(key) == digest
    # The tests of a module that share a subject often share a costly fixture, too.
    drawn = f"{item.path}[{name}]"
    return UNCHANGED if is_same and (MODE == "write" or not _is_drawn_again(drawn)) else ""


@cache
def _is_drawn_again(subject: str) -> bool:
    """Return whether this process runs an unchanged subject anyway."""
    return random.SystemRandom().random() < SHARE_AGAIN


@cache
def _digest(module: str, subject: Subject) -> str:
    """Return the digest of a test module with everything that it imports, and of the subject."""
    digest = hashlib.sha256(code_digest((module, *subject.modules), PACKAGES) + subject.machine.encode())
    for path in sorted(subject.paths):
        digest.update(_path_digest(path))
    return digest.hexdigest()[:16]


@cache
def _path_digest(path: Path) -> bytes:
    """Return the digest of a task's folder or of a file; hundreds of subjects name the same task."""
    return digest_of(path, 0).encode() if path.is_dir() else files_digest(ROOT, [path])


class Recorder:
    """Collects what passed, in the process that reports, and writes the record at the end."""

    def __init__(self) -> None:
        self._tests: set[str] = set()
        self._passed: dict[str, str] = {}
        self._failed: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Record the outcome of a marked test."""
        for name, value in report.user_properties:
            if name != PROPERTY or not isinstance(value, list | tuple):
                continue
            key, digest = value
            self._tests.add(key.partition("[")[0])
            if report.failed:
                self._failed.add(key)
            elif (report.when == "call" and report.passed) or UNCHANGED in report.longreprtext:
                self._passed[key] = digest

    def pytest_sessionfinish(self) -> None:
        """Write the digests of all subjects that passed or were unchanged; other tests' entries stay."""
        kept = {key: digest for key, digest in read_record().items() if key.partition("[")[0] not in self._tests}
        kept |= {key: digest for key, digest in self._passed.items() if key not in self._failed}
        data = {"versions": versions(), "digests": dict(sorted(kept.items()))}
        RECORD.write_text(json.dumps(data, indent=0) + "\n", encoding="utf-8")
