"""Times a whole course: 60 tasks with 20 programs each, graded one task after another, as `grade-all` grades them.

python -m tests.bench.course [--tasks 60] [--programs 20] [--single]

The programs are the mistakes on file; if a task has fewer, they are graded more than once. Tasks whose ranks have hash
seeds of their own run each program in its own cell, so they are counted separately.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from contextlib import closing
from itertools import cycle, islice

from graders.client import GraderClient
from graders.verdict import Verdict
from tasks.load import load_tasks

SEED = 5
SHOWN = 8


def main() -> None:
    """Grade, print, and check that no mistake passes."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.course")
    parser.add_argument("--tasks", type=int, default=60)
    parser.add_argument("--programs", type=int, default=20)
    parser.add_argument("--single", action="store_true", help="leave out the tasks with several ranks")
    given = parser.parse_args()
    tasks = [task for task in load_tasks() if not (given.single and "world" in task.cases_source)][: given.tasks]
    seconds: dict[bool, list[tuple[float, str]]] = {True: [], False: []}
    say(f"{len(tasks)} tasks, {given.programs} programs each, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    began = time.monotonic()
    with closing(GraderClient()) as client:
        for task in tasks:
            started, is_shared = time.monotonic(), True
            for mistake in islice(cycle(task.mistakes), given.programs):
                report = client.grade(str(task.folder), mistake.source, sandbox="docker", seed=SEED, is_batch=True)
                assert report.verdict is not Verdict.PASSED, (task.id, mistake.id)
                is_shared = is_shared and report.isolation.startswith("shared container")
            seconds[is_shared].append((time.monotonic() - started, task.id))
            say(
                f"  {task.id}: {seconds[is_shared][-1][0]:.1f} s{'' if is_shared else ', not all in shared containers'}"
            )
    whole = time.monotonic() - began
    per_second = len(tasks) * given.programs / whole
    say(f"all: {whole:.0f} s, {per_second:.1f} verdicts per second, load {os.getloadavg()[0]:.1f}")
    for is_shared, name in ((True, "shared containers"), (False, "own cells")):
        slowest = ", ".join(f"{task} {took:.1f} s" for took, task in sorted(seconds[is_shared], reverse=True)[:SHOWN])
        total = sum(took for took, _ in seconds[is_shared])
        say(f"{name}: {len(seconds[is_shared])} tasks, {total:.0f} s; slowest: {slowest or 'none'}")


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
