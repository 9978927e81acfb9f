"""A node without submitted code: the sandbox runs the reference once, and repeats its output for every submission."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from graders.grade import Prepared, grade, prepare
from graders.plan import make_plan
from graders.verdict import Report
from interviewer.cli.batch.node import NodeGrader, Setup
from interviewer.cli.batch.task_files import TaskFiles
from sandbox.fake import FakeSandbox, finished
from sandbox.job import Finished, Job, never
from tasks.load import load_task
from tasks.task import Task


class Recorder:
    """Runs the reference in its own interpreter, and stores the output."""

    name, isolation = "recorder", FakeSandbox.isolation

    def __init__(self) -> None:
        self.finished: Finished | None = None

    def run(self, job: Job, is_cancelled: Callable[[], bool] = never) -> Finished:
        command = [sys.executable, "-P", "-c", job.whole_program]
        done = subprocess.run(command, input=job.payload, capture_output=True, check=True)
        self.finished = finished(done.stdout, done.stderr)
        return self.finished


class ReplayGrader:
    """Grades in this process: everything is real except that the sandbox repeats the reference's output."""

    def __init__(self) -> None:
        self._known: tuple[Task, Prepared, Finished] | None = None

    def grade(self, task: str, source: str, *, seed: int, **_: Any) -> Report:
        if self._known is None:
            loaded = load_task(Path(task))
            prepared, recorder = prepare(make_plan(loaded, seed)), Recorder()
            grade(loaded, loaded.reference, recorder, prepared=prepared)
            assert recorder.finished is not None
            self._known = loaded, prepared, recorder.finished
        loaded, prepared, recorded = self._known
        return grade(loaded, source, FakeSandbox(recorded), prepared=prepared)

    def close(self) -> None:
        pass


class ReplayNode(NodeGrader):
    """The actor of a node that replays; torch is imported in its process."""

    def __init__(self, setup: Setup, task_files: TaskFiles, workers: int) -> None:
        super().__init__(setup, task_files, workers, ReplayGrader)
