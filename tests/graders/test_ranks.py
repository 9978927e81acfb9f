"""Ranks that do not meet are named, and one run's failure does not spoil the next."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from graders.grade import grade
from graders.verdict import Report, Verdict
from tasks.task import Task
from tests.graders.build import RING_REFERENCE, ForkSandbox, files_of_ring, make_task

HEAD = "import os, time, torch\nimport torch.distributed as dist\n\n\ndef total(x):\n    rank = dist.get_rank()\n"
REST = "    x = x.clone()\n    dist.all_reduce(x)\n    return x\n"


@pytest.fixture
def task(tmp_path: Path) -> Task:
    return make_task(tmp_path, files_of_ring())


def report_of(task: Task, body: str) -> Report:
    return grade(task, HEAD + body, ForkSandbox())


def test_a_right_program_passes_and_a_mistake_is_named(task: Task) -> None:
    assert grade(task, RING_REFERENCE, ForkSandbox()).verdict is Verdict.PASSED
    report = report_of(task, "    return x + 0\n")
    assert report.cases[0].message.startswith("rank 0: total[0]: expected 3, got 1 (off by 2")
    assert report.mistake is not None
    assert report.mistake.id == "kept_local"


@pytest.mark.parametrize(
    ("body", "verdict", "says"),
    [
        ("    if rank == 1: os._exit(3)\n", "raised", "rank 1 ended the process itself (exit code 3)"),
        ("    if rank == 1: raise KeyError('lost')\n", "raised", "rank 1 raised KeyError in line 7"),
        ("    if rank == 1: return x\n", "deadlocked", "rank 1 finished"),
        ("    if rank == 1: x = torch.ones(7)\n", "deadlocked", "TensorShape=[7]"),
        ("    if rank == 1: time.sleep(60)\n", "deadlocked", "rank 1 never came back"),
        ("    if rank == 1: return x, x\n", "deadlocked", "rank 0 raised RuntimeError in line 9"),
    ],
)
def test_ranks_that_do_not_meet_are_named(task: Task, body: str, verdict: str, says: str) -> None:
    started = time.monotonic()
    report = report_of(task, body + REST)
    assert [case.verdict.value for case in report.cases] == [verdict] * 2
    assert says in report.cases[0].message
    assert time.monotonic() - started < 10


def test_a_failure_in_one_run_leaves_the_next_alone(task: Task) -> None:
    report = report_of(task, "    if len(x) == 1 and rank == 1: os._exit(1)\n" + REST)
    assert [case.verdict for case in report.cases] == [Verdict.RAISED, Verdict.PASSED]


def test_a_rank_that_forges_frames_is_caught(task: Task) -> None:
    junk = "    for fd in range(3, 200):\n        try: os.write(fd, b'x' * 64)\n        except OSError: pass\n"
    report = report_of(task, junk + REST)
    assert {case.verdict for case in report.cases} == {Verdict.FORBIDDEN}


def test_a_file_that_does_not_load_is_told_once(task: Task) -> None:
    report = grade(task, "def total(y): ...\n", ForkSandbox())
    assert {case.verdict for case in report.cases} == {Verdict.NOT_LOADED}
    assert "`x` is missing; `y` is not asked for" in report.cases[0].message
