"""Skips tests of one task or question while nothing that decides them has changed since they last passed.

Such a test is marked `recorded` with a function that returns its subject and the files that it reads. recorded.json has
the digest of these files, of the test's code and of all project code that it imports, under the versions of Python and
torch. A random tenth runs anyway. `make proofs` runs what changed and writes the record; INTERVIEWER_RECORDED=all runs
everything.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from graders.gate.record import ROOT, code_digest, digest_of, files_digest, versions

RECORD = Path(__file__).with_name("recorded.json")
PACKAGES = ("graders", "interviewer", "sandbox", "tasks", "tests")
SHARE_AGAIN = 0.1
MODE = os.environ.get("INTERVIEWER_RECORDED", "")
PROPERTY = "recorded"

Reads = Callable[[dict[str, Any]], tuple[str, list[Path]]]


@cache
def read_record() -> dict[str, str]:
    """Return the recorded digests by test and subject; empty under other versions."""
    data = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}
    return dict(data["digests"]) if data.get("versions") == versions() else {}


@cache
def is_drawn_again(key: str) -> bool:
    """Return whether this process runs an unchanged subject anyway."""
    return random.SystemRandom().random() < SHARE_AGAIN


@cache
def subject_digest(module: str, paths: tuple[Path, ...]) -> str:
    """Return the digest of everything that decides a test: its module's code and imports, task folders, and files."""
    digest = hashlib.sha256(code_digest((module,), PACKAGES))
    for path in paths:
        digest.update(digest_of(path, 0).encode() if path.is_dir() else files_digest(ROOT, [path]))
    return digest.hexdigest()[:16]


def set_up(item: pytest.Item) -> None:
    """Skip a marked test whose subject is unchanged; otherwise attach its key and digest to its report."""
    mark = item.get_closest_marker("recorded")
    if mark is None:
        return
    assert isinstance(item, pytest.Function)
    reads: Reads = mark.kwargs["reads"]
    subject, paths = reads(item.callspec.params)
    key = f"{item.path.relative_to(ROOT).as_posix()}::{item.originalname}[{subject}]"
    digest = subject_digest(item.module.__name__, tuple(sorted(paths)))
    item.user_properties.append((PROPERTY, (key, digest)))
    if MODE != "all" and read_record().get(key) == digest and (MODE == "write" or not is_drawn_again(key)):
        pytest.skip("unchanged since it last passed (tests/recorded.json)")


class Recorder:
    """Collects what passed, in the process that reports, and writes the record at the end."""

    def __init__(self) -> None:
        self._seen: dict[str, str] = {}
        self._failed: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note the outcome of a marked test."""
        for name, value in report.user_properties:
            if name == PROPERTY and isinstance(value, list | tuple):
                key, digest = value
                self._seen[key] = digest
                if report.failed:
                    self._failed.add(key)

    def pytest_sessionfinish(self) -> None:
        """Write the digests of all subjects that passed or were unchanged; other tests' entries stay."""
        tests = {key.partition("[")[0] for key in self._seen}
        kept = {key: digest for key, digest in read_record().items() if key.partition("[")[0] not in tests}
        kept |= {key: digest for key, digest in self._seen.items() if key not in self._failed}
        data = {"versions": versions(), "digests": dict(sorted(kept.items()))}
        RECORD.write_text(json.dumps(data, indent=0) + "\n", encoding="utf-8")
