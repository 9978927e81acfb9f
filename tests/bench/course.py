"""Times a whole course: 60 tasks with 20 programs each, graded one task after another, as `grade-all` grades them.

python -m tests.bench.course [--tasks 60] [--programs 20] [--single]

The programs are the mistakes on file; if a task has fewer, they are graded more than once. Multi-rank tasks
take longer, so they are reported separately.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from contextlib import closing
from itertools import cycle, islice
from typing import Any

from graders.client import GraderClient
from graders.verdict import Report, Verdict
from tasks.load import load_tasks
from tasks.task import Task

SETUP: Any = {"device": "cpu", "sandbox": "docker", "image": "", "seed": 5}
SHOWN = 8


def main() -> None:
    """Grade, print, and check that no mistake passes."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.course")
    parser.add_argument("--tasks", type=int, default=60)
    parser.add_argument("--programs", type=int, default=20)
    parser.add_argument("--single", action="store_true", help="leave out the tasks with several ranks")
    given = parser.parse_args()
    tasks = [task for task in load_tasks() if not (given.single and has_ranks(task))][: given.tasks]
    seconds: dict[bool, list[tuple[float, str]]] = {True: [], False: []}
    say(f"{len(tasks)} tasks, {given.programs} programs each, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    began = time.monotonic()
    with closing(GraderClient()) as client:
        for task in tasks:
            started = time.monotonic()
            mistakes = list(islice(cycle(task.mistakes), given.programs))
            reports = client.grade_many(str(task.folder), (mistake.source for mistake in mistakes), **SETUP)
            for mistake, report in zip(mistakes, reports, strict=True):
                assert isinstance(report, Report), (task.id, mistake.id, report)
                assert report.verdict is not Verdict.PASSED, (task.id, mistake.id)
                assert report.isolation.startswith("shared container"), (task.id, mistake.id)
            took = time.monotonic() - started
            seconds[has_ranks(task)].append((took, task.id))
            say(f"  {task.id}: {took:.1f} s")
    whole = time.monotonic() - began
    per_second = len(tasks) * given.programs / whole
    say(f"all: {whole:.0f} s, {per_second:.1f} verdicts per second, load {os.getloadavg()[0]:.1f}")
    for has_several, name in ((False, "one rank"), (True, "several ranks")):
        slowest = ", ".join(f"{task} {took:.1f} s" for took, task in sorted(seconds[has_several], reverse=True)[:SHOWN])
        total = sum(took for took, _ in seconds[has_several])
        say(f"{name}: {len(seconds[has_several])} tasks, {total:.0f} s; slowest: {slowest or 'none'}")


def has_ranks(task: Task) -> bool:
    """Return whether a case of the task has several ranks."""
    return "world" in task.cases_source


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
