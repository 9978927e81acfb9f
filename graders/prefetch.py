"""Prepares everything that does not depend on the submission; only a batch uses prepared cases more than once."""

from __future__ import annotations

import secrets
from contextlib import suppress
from pathlib import Path

from graders.errors import GradingError
from graders.grade import Prepared, kind_of_job, prepare
from graders.plan import make_plan
from sandbox.job import Job
from tasks.load import TaskError, find_task, load_task
from tasks.task import Task

Stamp = list[tuple[str, int, int]]


class Prefetcher:
    """Reloads the requested tasks when their files change, and prepares cases for one of them from a fresh seed."""

    def __init__(self) -> None:
        self._tasks: dict[str, tuple[Stamp, Task]] = {}
        self._prepared: tuple[Task, Prepared] | None = None
        self._batch: tuple[Task, Prepared] | None = None

    def task(self, name: str) -> Task:
        """Return the task with this id or in this folder; reload it only if a file has changed. Raises: TaskError."""
        known = self._tasks.get(name)
        if known is None or known[0] != stamp_of(known[1].folder):
            task = load_task(Path(name)) if len(Path(name).parts) > 1 else find_task(name)
            known = self._tasks[name] = stamp_of(task.folder), task
        return known[1]

    def take(self, task: Task) -> Prepared | None:
        """Return the prepared cases for the task and clear them; None if there are none."""
        prepared, self._prepared = self._prepared, None
        return prepared[1] if prepared and prepared[0] is task else None

    def for_batch(self, task: Task, seed: int) -> Prepared:
        """Return the cases for this seed, which all submissions in a batch share. Raises: ContentBroken."""
        if self._batch is None or self._batch[0] is not task or self._batch[1].plan.seed != seed:
            self._batch = task, prepare(make_plan(task, seed))
        return self._batch[1]

    def batch_kind(self, device: str = "cpu") -> Job | None:
        """Return the kind of job that grades the current batch on this device; None if there is no batch."""
        return kind_of_job(self._batch[1].plan, device) if self._batch else None

    def prepare(self, name: str, device: str = "cpu") -> Job | None:
        """Draw cases with a fresh seed for the next submission to this task; return the kind of job that grades it.

        If the task does not run on the device, the job runs on the CPU.

        The seed never leaves this process. For multi-rank tasks, only the kind is returned: preparing their cases takes
        seconds, which would delay quitting the app. Return None if the task cannot be read; grading it reports the
        error.
        """
        with suppress(GradingError, TaskError):
            task = self.task(name)
            plan = make_plan(task, secrets.randbelow(2**31))
            if not plan.is_distributed:
                self._prepared = task, prepare(plan)
            return kind_of_job(plan, device if device in task.devices else "cpu")
        return None


def stamp_of(folder: Path) -> Stamp:
    """Return a stamp that changes whenever a file in the folder changes; empty for a missing folder."""
    states = [(path, path.stat()) for path in sorted(folder.rglob("*")) if path.is_file()]
    return [(str(path), state.st_mtime_ns, state.st_size) for path, state in states]
