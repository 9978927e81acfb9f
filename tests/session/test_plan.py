"""Plans are reproducible, fit their minutes, mix both worlds, and refuse unknown names with the nearest one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from interviewer.session.plan import PlanError, Wishes, make_plan
from tests.session.build import brief, question

BANK = tuple(
    replace(
        question(f"q{n}"), area="rl_systems" if n % 2 else "trust_regions", topics=("memory",) if n == 1 else ("ppo",)
    )
    for n in range(8)
)
TASKS = (brief("ppo_clip_loss"), brief("gae"))


def test_the_same_seed_gives_the_same_plan_and_another_one_differs_somewhere() -> None:
    plans = {seed: make_plan(BANK, TASKS, Wishes(60), seed) for seed in range(10)}
    assert plans[3] == make_plan(BANK, TASKS, Wishes(60), 3)
    assert len({plan.parts for plan in plans.values()}) > 3


def test_parts_fill_the_minutes_and_none_comes_twice() -> None:
    for minutes in (10, 20, 45, 60, 90):
        for seed in range(20):
            plan = make_plan(BANK, TASKS, Wishes(minutes), seed)
            assert sum(part.minutes for part in plan.parts) == pytest.approx(minutes)
            assert len({part.id for part in plan.parts}) == len(plan.parts)


def test_an_hour_holds_both_worlds_a_task_and_memory_arithmetic() -> None:
    for seed in range(20):
        plan = make_plan(BANK, TASKS, Wishes(60), seed)
        areas = {one.area for one in BANK if one.id in {part.id for part in plan.parts}}
        assert areas == {"rl_systems", "trust_regions"}
        assert [part.kind for part in plan.parts].count("task") == 1
        assert "q1" in {part.id for part in plan.parts}


def test_named_parts_replace_the_draw() -> None:
    plan = make_plan(BANK, TASKS, Wishes(30, questions=("q2", "q1"), tasks=("gae",)), 0)
    assert [part.id for part in plan.parts] == ["q2", "q1", "gae"]


@pytest.mark.parametrize(
    ("wishes", "expected"),
    [
        (Wishes(questions=("q22",)), "unknown question q22; did you mean q2?"),
        (Wishes(tasks=("gea",)), "unknown task gea; did you mean gae?"),
        (Wishes(focus=("pp",)), "unknown topic pp; did you mean ppo?"),
        (Wishes(minutes=0), "minutes: expected more than 0"),
    ],
)
def test_wishes_that_cannot_be_met_are_named(wishes: Wishes, expected: str) -> None:
    with pytest.raises(PlanError, match=expected.replace("?", r"\?")):
        make_plan(BANK, TASKS, wishes, 0)
