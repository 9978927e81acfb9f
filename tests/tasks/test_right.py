"""Right programs written from the statements alone, in other styles than the references, pass on fifty seeds."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from graders.compare import Expected
from graders.expect import expectations
from graders.judge import judge
from graders.plan import Plan, Setting, join, make_plan
from graders.trusted import run_trusted
from graders.verdict import Verdict
from tasks.load import find_task

RIGHT = Path(__file__).parent / "right"
PROGRAMS = sorted(RIGHT.glob("*/*.py"))
SEEDS = range(1000, 1050)
STYLES = 3


@cache
def sample(task_id: str) -> tuple[Plan, list[list[Expected]]]:
    """Return the cases of all seeds and what is right for them."""
    plan = join([make_plan(find_task(task_id), seed) for seed in SEEDS])
    return plan, expectations(plan)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_right_program_passes(program: Path) -> None:
    plan, rights = sample(program.parent.name)
    records = run_trusted(plan, plan.runs, program.read_text(encoding="utf-8"), Setting())
    failed = [
        (one.outcome.name, one.outcome.message)
        for one in judge(plan, rights, records, None)
        if one.outcome.verdict is not Verdict.PASSED
    ]
    assert failed == []


@pytest.mark.parametrize("folder", sorted(RIGHT.iterdir()), ids=lambda path: path.name)
def test_a_task_has_three_different_ones(folder: Path) -> None:
    programs = {path.read_text(encoding="utf-8") for path in folder.glob("*.py")}
    assert len(programs) >= STYLES
    assert find_task(folder.name).reference not in programs
