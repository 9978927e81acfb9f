"""Grades submissions on one node, with several grading workers.

Each worker has its own sandboxes: shared containers, or cells that run one job each.

A `NodeGrader` object is an actor on a Ray cluster, but this module does not depend on Ray. The actor's process runs no
submitted code: the grading workers send each submission to the sandbox, just as when a single submission is graded.
"""

from __future__ import annotations

import hashlib
import platform
import queue
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from typing import Any, Protocol

from graders.client import GraderClient
from graders.errors import GradingError
from graders.resident import CODE, ROOT
from graders.verdict import Report
from interviewer.cli.batch.task_files import TaskFiles
from interviewer.session.phrases import verdict_text
from sandbox.owner import use_own_temp_folder

Answer = dict[str, Any]


class Grader(Protocol):
    """The part of `GraderClient` that a node uses."""

    def grade(self, task: str, source: str, *, sandbox: str, image: str, seed: int, is_batch: bool) -> Report:
        """Return the report on a submission. Raises GradingError if the grader itself fails."""
        ...

    def close(self) -> None:
        """Stop the grading worker and everything it runs."""
        ...


@dataclass(frozen=True)
class Setup:
    """The setup shared by all nodes: the cases, the sandbox, and the versions that must be the same on all nodes."""

    seed: int
    sandbox: str
    image: str
    task_digest: str
    versions: tuple[tuple[str, str], ...]


@cache
def versions() -> tuple[tuple[str, str], ...]:
    """Return the versions that can affect a verdict: those of Python, torch and the grading code."""
    code = hashlib.sha256()
    for path in sorted(path for pattern in CODE for path in ROOT.glob(pattern)):
        code.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    torch = "none"
    with suppress(metadata.PackageNotFoundError):
        torch = metadata.version("torch").partition("+")[0]
    return (
        ("Python", ".".join(platform.python_version_tuple()[:2])),
        ("torch", torch),
        ("the grading code", code.hexdigest()[:12]),
    )


def error_answer(error: GradingError) -> Answer:
    """Return a grader failure as data."""
    return {"error": {"kind": error.kind, "message": error.message, "fix": error.fix}}


class NodeGrader:
    """Grades on this machine with `workers` grading workers; `grade` may be called from several threads."""

    def __init__(
        self, setup: Setup, task_files: TaskFiles, workers: int, make_grader: Callable[[], Grader] = GraderClient
    ) -> None:
        self._setup = setup
        self._files = task_files
        self._folder = use_own_temp_folder()
        self._task_folder = task_files.write(self._folder)
        self._graders = [make_grader() for _ in range(workers)]
        self._free: queue.Queue[Grader] = queue.Queue()
        for grader in self._graders:
            self._free.put(grader)

    def check(self) -> Answer:
        """Start every grading worker and have it grade the task's reference; return {} if this node can be used."""
        try:
            self._compare()
            with ThreadPoolExecutor(len(self._graders)) as threads:
                list(threads.map(self._check_one, self._graders))
        except GradingError as error:
            return error_answer(error)
        return {}

    def grade(self, source: str) -> Answer:
        """Return the report on a submission or the grader's failure, as data."""
        grader = self._free.get()
        try:
            return {"report": self._grade(grader, source).to_json()}
        except GradingError as error:
            return error_answer(error)
        finally:
            self._free.put(grader)

    def close(self) -> None:
        """Stop the grading workers, remove their containers, and delete the task's files."""
        with ThreadPoolExecutor(len(self._graders)) as threads:
            list(threads.map(lambda grader: grader.close(), self._graders))
        shutil.rmtree(self._folder, ignore_errors=True)

    def _compare(self) -> None:
        """Raise GradingError if this node would use different code or a different task."""
        for (name, wanted), (_, found) in zip(self._setup.versions, versions(), strict=True):
            if wanted != found:
                raise GradingError(
                    f"{name} differs: {found} on this node, {wanted} here",
                    "Install the same version of interviewer[cluster] on all nodes.",
                    "NodeDiffers",
                )
        if TaskFiles.read(self._task_folder).digest != self._setup.task_digest:
            raise GradingError("the task's files were changed in transit", "Try again.", "NodeDiffers")

    def _check_one(self, grader: Grader) -> None:
        report = self._grade(grader, self._files.files["reference.py"].decode())
        if report.passed_count < len(report.cases):
            raise GradingError(
                f"the task's reference did not pass on this node ({verdict_text(report.verdict)})",
                "Run interviewer check on the task, and interviewer doctor on the node.",
                "NodeBroken",
            )

    def _grade(self, grader: Grader, source: str) -> Report:
        setup = self._setup
        return grader.grade(
            str(self._task_folder), source, sandbox=setup.sandbox, image=setup.image, seed=setup.seed, is_batch=True
        )
