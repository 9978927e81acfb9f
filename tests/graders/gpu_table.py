"""Grades every stored program on a device, in the process sandbox, and prints the table for docs/benchmarks.md.

It only needs torch, safetensors and numpy, and no installation: python -m tests.graders.gpu_table [cpu|cuda] [TASK ...]
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from graders.grade import grade
from graders.verdict import Verdict
from sandbox.process.sandbox import ProcessSandbox
from tasks.load import find_task, load_tasks
from tasks.task import Mistake, Task

RIGHT = Path(__file__).parent.parent / "tasks" / "right"
# Each grade is a separate process that imports torch, and each one on a GPU uses half a gigabyte of GPU memory.
AT_ONCE = min(8, os.cpu_count() or 1)


@dataclass(frozen=True)
class Row:
    """One task on one device: the numbers of right programs and mistakes, and what went wrong with which program."""

    task: str
    right: int
    refused: tuple[str, ...]
    mistakes: int
    missed: tuple[str, ...]
    seconds: float

    def __str__(self) -> str:
        odd = "; ".join((*self.refused, *self.missed)) or "none"
        passed, named = self.right - len(self.refused), self.mistakes - len(self.missed)
        return f"| {self.task} | {passed} of {self.right} | {named} of {self.mistakes} | {odd} | {self.seconds:.0f} |"


def right_programs(task_id: str) -> dict[str, str]:
    """Return the reference and the right programs in other styles, by name."""
    others = {path.stem: path.read_text(encoding="utf-8") for path in sorted((RIGHT / task_id).glob("*.py"))}
    return {"reference": find_task(task_id).reference, **others}


def names_of(task: Task, mistake: Mistake) -> set[str]:
    """Return the mistakes that a program may be identified as: this one, and those with the same outputs."""
    return {mistake.id, mistake.same_as} | {other.id for other in task.mistakes if other.same_as == mistake.id}


def row(task_id: str, device: str) -> Row:
    """Return how a task's right programs and mistakes are graded on a device."""
    started = time.monotonic()
    task = find_task(task_id)
    graded = partial(grade, task, sandbox=ProcessSandbox(), device=device)
    programs = right_programs(task_id)
    refused = []
    for name, source in programs.items():
        report = graded(source=source)
        if report.verdict is not Verdict.PASSED:
            worst = next(case for case in report.cases if case.verdict is report.verdict)
            refused.append(f"{name} {report.verdict} in {worst.name}: {worst.message[:200]}")
    missed = []
    for mistake in task.mistakes:
        report = graded(source=mistake.source)
        named = report.mistake.id if report.mistake else "not named"
        if named not in names_of(task, mistake):
            missed.append(f"{mistake.id} {report.verdict}, {named}")
    return Row(task_id, len(programs), tuple(refused), len(task.mistakes), tuple(missed), time.monotonic() - started)


def main(device: str = "cuda", *names: str) -> None:
    """Print one line for each task that supports the device."""
    ids = names or tuple(task.id for task in load_tasks() if device in task.devices)
    head = f"| task on {device} | right programs pass | mistakes are named | what did not | seconds |"
    _tell(head, "|---|---|---|---|---|")
    with ProcessPoolExecutor(AT_ONCE, multiprocessing.get_context("spawn")) as pool:
        for line in pool.map(partial(row, device=device), ids):
            _tell(line)


def _tell(*lines: object) -> None:
    sys.stdout.writelines(f"{line}\n" for line in lines)
    sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
