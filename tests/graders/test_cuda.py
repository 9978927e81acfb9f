"""On a GPU every task's reference passes and every mistake is named, in the process sandbox.

Run as a script it prints the table of docs/benchmarks.md: python -m tests.graders.test_cuda [cpu|cuda]
"""

from __future__ import annotations

import sys
import time

import pytest

from graders.grade import grade
from graders.verdict import Verdict
from sandbox.process import ProcessSandbox
from tasks.load import load_tasks
from tasks.task import Task

TASKS = [task for task in load_tasks() if "cuda" in task.devices]


def row(task: Task, device: str) -> tuple[str, Verdict, list[str], float]:
    """Return the task's id, the verdict of its reference, the mistakes not named as themselves, and the seconds."""
    started = time.monotonic()
    sandbox = ProcessSandbox()
    reference = grade(task, task.reference, sandbox, device=device).verdict
    missed = []
    for mistake in task.mistakes:
        report = grade(task, mistake.source, sandbox, device=device)
        if report.verdict is Verdict.PASSED or report.mistake is None or report.mistake.id != mistake.id:
            missed.append(f"{mistake.id} ({report.verdict}, {report.mistake.id if report.mistake else 'not named'})")
    return task.id, reference, missed, time.monotonic() - started


@pytest.mark.cuda
@pytest.mark.timeout(600)
@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_reference_passes_and_mistakes_are_named_on_the_gpu(task: Task) -> None:
    _, reference, missed, _ = row(task, "cuda")
    assert reference is Verdict.PASSED
    assert missed == []


def main() -> None:
    """Print one line for each task."""
    device = sys.argv[1] if len(sys.argv) > 1 else "cuda"
    sys.stdout.write(
        "| task | device | reference | mistakes named | not named | seconds |\n|---|---|---|---|---|---|\n"
    )
    for task in TASKS:
        name, reference, missed, seconds = row(task, device)
        count = len(task.mistakes)
        sys.stdout.write(
            f"| {name} | {device} | {reference} | {count - len(missed)} of {count} | {'; '.join(missed) or 'none'}"
            f" | {seconds:.0f} |\n"
        )
        sys.stdout.flush()


if __name__ == "__main__":
    main()
