"""The tasks that ship: their references pass in a sandbox, and each mistake is caught by its cases and named."""

from __future__ import annotations

import pytest

from graders.grade import grade
from graders.verdict import Verdict, report_from_json
from sandbox.docker import DockerSandbox
from sandbox.process import ProcessSandbox
from tasks.load import load_tasks
from tasks.task import Mistake, Task
from tests.graders.build import ForkSandbox

TASKS = load_tasks()
MISTAKES = [(task, mistake) for task in TASKS for mistake in task.mistakes]


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_the_reference_passes(task: Task) -> None:
    assert grade(task, task.reference, ProcessSandbox()).verdict is Verdict.PASSED


@pytest.mark.docker
@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_the_reference_passes_in_docker(task: Task) -> None:
    assert grade(task, task.reference, DockerSandbox()).verdict is Verdict.PASSED


@pytest.mark.docker
def test_docker_tells_what_a_submission_did_to_itself() -> None:
    task = next(task for task in TASKS if task.id == "gae")
    head = f"import os, torch\n\n\ndef {task.signature}:\n"
    sandbox = DockerSandbox()
    assert grade(task, head + "    os._exit(0)\n", sandbox).verdict is Verdict.RAISED
    assert grade(task, head + "    return bytearray(2**33)\n", sandbox).verdict is Verdict.OUT_OF_MEMORY


@pytest.mark.parametrize(("task", "mistake"), MISTAKES, ids=lambda one: one.id)
def test_each_mistake_is_caught_by_its_cases_and_named(task: Task, mistake: Mistake) -> None:
    report = grade(task, mistake.source, ForkSandbox())
    assert {case.name for case in report.cases if case.verdict is not Verdict.PASSED} == set(mistake.caught_by)
    assert report.mistake is not None
    assert report.mistake.id in (mistake.id, mistake.same_as)


def test_two_mistakes_in_one_program_are_both_named() -> None:
    task = next(task for task in TASKS if task.id == "ppo_clip_loss")
    program = _changed(task.reference, "clamp(1 - eps_low, 1 + eps_high)", "clamp(1 - eps_high, 1 + eps_low)")
    program = _changed(program, "(row_tokens > 0).sum().clamp(min=1)", "row_tokens.numel()")
    report = grade(task, program, ForkSandbox())
    assert {one.id for one in report.mistakes} == {"bounds_swapped", "empty_rows_counted"}
    assert report_from_json(report.to_json()) == report


def test_two_mistakes_of_which_one_is_not_on_file_are_not_named() -> None:
    task = next(task for task in TASKS if task.id == "ppo_clip_loss")
    program = _changed(task.reference, "clamp(1 - eps_low, 1 + eps_high)", "clamp(1 - eps_high, 1 + eps_low)")
    program = _changed(program, "(row_tokens > 0).sum().clamp(min=1)", "(row_tokens > 1).sum().clamp(min=1)")
    assert grade(task, program, ForkSandbox()).mistakes == ()


def _changed(program: str, old: str, new: str) -> str:
    assert program.count(old) == 1
    return program.replace(old, new)
