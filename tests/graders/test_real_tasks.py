"""The shipped tasks: their references pass in a sandbox, and each mistake is caught by its cases and named."""

from __future__ import annotations

import os
from dataclasses import replace

import pytest

from graders.diagnose import diagnose, evidence_of
from graders.grade import grade, prepare
from graders.outcomes import Truncation, judge
from graders.plan import Setting, make_plan
from graders.reference import run_trusted
from graders.verdict import Verdict, report_from_json
from sandbox.docker.sandbox import DockerSandbox
from sandbox.process.sandbox import ProcessSandbox
from tasks.load import load_tasks
from tasks.task import Limits, Task
from tests.graders.build import ForkSandbox
from tests.graders.gpu_table import names_of
from tests.recorded import Subject

TASKS = load_tasks()
# A cold start each: `make right` covers all of them, and the gate covers one in every third area.
FIRSTS = {task.area: task for task in reversed(TASKS)}
CHOSEN = TASKS if os.environ.get("INTERVIEWER_REAL_TASKS") == "all" else tuple(FIRSTS.values())[::3]
# The extra time that other work on this machine may add to a task's own limit.
BUSY_SECONDS = 60
# On a busy machine, the kernel needs minutes to notice that a program has used all of its memory.
MEMORY_SECONDS = 240
# Fresh seeds belong in `make right`: in the gate, a failure must be reproducible.
SEED = int(os.environ.get("INTERVIEWER_FIRST_SEED", "2026"))
GROUP_SECONDS = 2.0


@pytest.mark.slow
@pytest.mark.parametrize("task", CHOSEN[::2], ids=lambda task: task.id)
def test_the_reference_passes(task: Task) -> None:
    assert grade(task, task.reference, ProcessSandbox(), SEED).verdict is Verdict.PASSED


@pytest.mark.docker
@pytest.mark.parametrize("task", CHOSEN, ids=lambda task: task.id)
def test_the_reference_passes_in_docker(task: Task) -> None:
    limits = replace(task.limits, wall_seconds=max(BUSY_SECONDS, task.limits.wall_seconds))
    assert grade(replace(task, limits=limits), task.reference, DockerSandbox(), SEED).verdict is Verdict.PASSED


@pytest.mark.docker
def test_docker_tells_what_a_submission_did_to_itself() -> None:
    task = replace(next(task for task in TASKS if task.id == "gae"), limits=Limits(MEMORY_SECONDS, 512))
    head = f"import os, torch\n\n\ndef {task.signature}:\n"
    sandbox = DockerSandbox()
    assert grade(task, head + "    os._exit(0)\n", sandbox).verdict is Verdict.RAISED
    assert grade(task, head + "    return bytearray(2**33)\n", sandbox).verdict is Verdict.OUT_OF_MEMORY


def _subject(params: dict[str, Task]) -> Subject:
    return Subject(params["task"].id, (params["task"].folder,))


@pytest.mark.recorded(subject_of=_subject)
@pytest.mark.slow
@pytest.mark.parametrize("task", CHOSEN, ids=lambda task: task.id)
def test_each_mistake_is_caught_by_its_cases_and_named(task: Task) -> None:
    """On the trusted side, where one group of ranks serves many programs; a sandbox does not affect the names.

    The gate proves the cases of all mistakes, and that no two mistakes of a task have the same outputs.
    """
    plan, rights, _ = prepare(make_plan(task, SEED))
    for mistake in task.mistakes:
        setting = Setting(group_seconds=GROUP_SECONDS)
        records = run_trusted(plan, plan.runs, mistake.source, setting)
        outcomes = [
            judged.outcome for judged in judge(plan, rights, records, Truncation(Verdict.TIMED_OUT, "was not run"))
        ]
        assert {outcome.name for outcome in outcomes if outcome.verdict is not Verdict.PASSED} == set(
            mistake.caught_by
        ), mistake.id
        named = diagnose(plan, evidence_of(plan, rights, records, outcomes))
        assert named is not None, mistake.id
        assert named.id in names_of(task, mistake), mistake.id


@pytest.mark.recorded(subject_of=_subject)
@pytest.mark.slow
@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_a_mistake_is_named_through_a_sandbox(task: Task) -> None:
    mistake = task.mistakes[0]
    report = grade(task, mistake.source, ForkSandbox(), SEED)
    assert {case.name for case in report.cases if case.verdict is not Verdict.PASSED} == set(mistake.caught_by)
    assert report.mistake is not None
    assert report.mistake.id in names_of(task, mistake)


def test_two_mistakes_in_one_program_are_both_named() -> None:
    task = next(task for task in TASKS if task.id == "ppo_clip_loss")
    program = _changed(task.reference, "clamp(1 - eps_low, 1 + eps_high)", "clamp(1 - eps_high, 1 + eps_low)")
    program = _changed(program, "(row_tokens > 0).sum().clamp(min=1)", "row_tokens.numel()")
    report = grade(task, program, ForkSandbox(), SEED)
    assert {mistake.id for mistake in report.mistakes} == {"bounds_swapped", "empty_rows_counted"}
    assert report_from_json(report.to_json()) == report


def test_two_mistakes_of_which_one_is_not_on_file_are_not_named() -> None:
    task = next(task for task in TASKS if task.id == "ppo_clip_loss")
    program = _changed(task.reference, "clamp(1 - eps_low, 1 + eps_high)", "clamp(1 - eps_high, 1 + eps_low)")
    program = _changed(program, "(row_tokens > 0).sum().clamp(min=1)", "(row_tokens > 1).sum().clamp(min=1)")
    assert grade(task, program, ForkSandbox(), SEED).mistakes == ()


def _changed(program: str, old: str, new: str) -> str:
    assert program.count(old) == 1
    return program.replace(old, new)
