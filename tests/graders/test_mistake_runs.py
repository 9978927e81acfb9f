"""In a batch, a mistake is run only once on the same inputs, unless that run failed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from graders import mistake_runs
from graders.diagnose import Records
from graders.grade import grade, prepare
from graders.mistake_runs import MistakeRuns
from graders.plan import Plan, Run, Setting, make_plan
from graders.reference import run_trusted
from tasks.task import Task
from tests.graders.build import MISTAKES, ForkSandbox, files_of_mean, make_task

COUNTED = MISTAKES["mean_of_all"].replace("kept.sum() / mask.numel()", "(kept / mask.numel()).sum()")


@pytest.fixture
def mean(tmp_path: Path) -> Task:
    return make_task(tmp_path, files_of_mean())


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list to which each call of `run_trusted` appends its number of runs."""
    counts: list[int] = []

    def run(plan: Plan, runs: Sequence[Run], source: str, setting: Setting) -> Records:
        counts.append(len(runs))
        return run_trusted(plan, runs, source, setting)

    monkeypatch.setattr(mistake_runs, "run_trusted", run)
    return counts


def test_submissions_of_a_batch_share_the_runs_of_a_mistake(mean: Task, started: list[int]) -> None:
    prepared = prepare(make_plan(mean, 3))
    reports = [grade(mean, COUNTED, ForkSandbox(), prepared=prepared) for _ in range(2)]
    assert [report.mistake and report.mistake.id for report in reports] == ["mean_of_all"] * 2
    first = len(started)
    assert first > 0
    grade(mean, COUNTED, ForkSandbox(), prepared=prepared)
    assert len(started) == first
    grade(mean, COUNTED, ForkSandbox(), prepared=prepare(make_plan(mean, 4)))
    assert len(started) == 2 * first


def test_other_inputs_are_run(mean: Task, started: list[int]) -> None:
    plan = make_plan(mean, 3)
    (mistake, *_), mistakes = mean.mistakes, MistakeRuns(plan)
    for runs in (plan.runs, plan.runs, plan.runs[:1], plan.runs[:1]):
        mistakes.run(mistake, runs)
    assert started == [len(plan.runs), 1]


def test_a_run_without_outputs_is_repeated(mean: Task, started: list[int]) -> None:
    plan = make_plan(mean, 3)
    mistakes = MistakeRuns(plan)
    mistake = replace(mean.mistakes[0], source=mean.reference.replace("    kept =", "    raise ValueError\n    kept ="))
    for _ in range(2):
        assert mistakes.run(mistake, plan.runs)[0][0].status == "raised"
    assert len(started) == 2


def test_only_so_many_runs_are_kept(mean: Task, started: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mistake_runs, "KEPT_MAX", 3)
    plan = make_plan(mean, 3)
    mistakes = MistakeRuns(plan)
    for number in (0, 1, 2, 2, 3, 3, 2):
        mistakes.run(replace(mean.mistakes[0], id=f"mistake_{number}"), plan.runs[:1])
    assert len(started) == 5
