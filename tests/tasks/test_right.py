"""Right programs in styles that differ from the references, written from the statements alone, pass on every seed."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import pytest

from graders.compare import Expected
from graders.outcomes import judge
from graders.plan import Plan, Setting, join, make_plan
from graders.reference import expectations, run_trusted
from graders.verdict import Verdict
from tasks.load import find_task, load_tasks
from tasks.task import Task
from tests.graders.gpu_table import RIGHT
from tests.recorded import Subject

pytestmark = pytest.mark.content

PROGRAMS = sorted(RIGHT.glob("*/*.py"))
# All fifty take minutes on two cores: `make right` tries them on fresh seeds, the gate a few fixed ones.
FIRST_SEED = int(os.environ.get("INTERVIEWER_FIRST_SEED", "1000"))
SEEDS = range(FIRST_SEED, FIRST_SEED + int(os.environ.get("INTERVIEWER_RIGHT_SEEDS", "2")))
STYLES = 3


@cache
def sample(task_id: str) -> tuple[Plan, list[list[Expected]]]:
    """Return the cases of all seeds and their expected results."""
    plan = join([make_plan(find_task(task_id), seed) for seed in SEEDS])
    return plan, expectations(plan)


def _subject(params: dict[str, Path]) -> Subject:
    folder = params["program"].parent
    return Subject(folder.name, (find_task(folder.name).folder, *folder.glob("*.py")))


@pytest.mark.recorded(subject_of=_subject)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_right_program_passes(program: Path) -> None:
    plan, rights = sample(program.parent.name)
    records = run_trusted(plan, plan.runs, program.read_text(encoding="utf-8"), Setting())
    failed = [
        (case.outcome.name, case.outcome.message)
        for case in judge(plan, rights, records, None)
        if case.outcome.verdict is not Verdict.PASSED
    ]
    assert failed == []


@pytest.mark.parametrize("task", load_tasks(), ids=lambda task: task.id)
def test_a_task_has_three_different_ones(task: Task) -> None:
    programs = {path.read_text(encoding="utf-8") for path in (RIGHT / task.id).glob("*.py")}
    assert len(programs) >= STYLES
    assert task.reference not in programs


def test_every_right_program_belongs_to_a_task() -> None:
    assert {path.parent.name for path in PROGRAMS} == {task.id for task in load_tasks()}
