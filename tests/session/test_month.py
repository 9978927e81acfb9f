"""A month of interviews on the shipped content repeats nothing while anything else of the level is left."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import pytest

from interviewer.bank.load import load_questions
from interviewer.interview.context import make_task_brief
from interviewer.session.plan import (
    LEVELS,
    RARE_LEVELS,
    RARE_QUESTIONS,
    ROLES,
    Plan,
    PlanRequest,
    filter_by_level,
    make_plan,
)
from interviewer.session.question import Question, TaskBrief
from tasks.load import load_tasks

SESSIONS = 40


@cache
def content() -> tuple[Sequence[Question], Sequence[TaskBrief]]:
    return load_questions(), tuple(map(make_task_brief, load_tasks()))


def a_month(request: PlanRequest) -> list[tuple[tuple[str, ...], Plan]]:
    """Return the plans of 40 sessions, each with what was asked in the sessions before it, most recent first."""
    questions, tasks = content()
    recent: tuple[str, ...] = ()
    plans = []
    for seed in range(SESSIONS):
        asked = PlanRequest(request.minutes, role=request.role, level=request.level, recent=recent)
        plan = make_plan(questions, tasks, asked, seed)
        plans.append((recent, plan))
        # The first spare question is accepted, as after a quick interview.
        drawn = tuple(part.id for part in plan.parts) + plan.spare[:1]
        recent = tuple(dict.fromkeys((*drawn, *recent)))
    return plans


@pytest.mark.parametrize("minutes", [45.0, 60.0])
@pytest.mark.parametrize("role", ["", *ROLES])
def test_forty_sessions_in_a_month_repeat_nothing_while_something_else_is_left(role: str, minutes: float) -> None:
    questions, tasks = content()
    for recent, plan in a_month(PlanRequest(minutes, role=role)):
        drawn = {part.id for part in plan.parts} | set(plan.spare[:1])
        again = [name for name in drawn if name in recent and name in {question.id for question in questions}]
        names = {question.id for question in questions}
        assert not again or names <= {*recent, *drawn}, plan
        assert not drawn & RARE_QUESTIONS or names - RARE_QUESTIONS <= {*recent, *drawn}, plan
        # A task that is left may be too long for the minutes that the plan has for it.
        minutes_of = {task.id: task.minutes for task in tasks}
        for name in drawn & set(recent) & set(minutes_of):
            left = set(minutes_of) - set(recent) - drawn
            assert not [task for task in left if minutes_of[task] <= minutes_of[name]], plan


@pytest.mark.parametrize("level", list(LEVELS))
def test_a_month_at_one_level_uses_up_that_level_first(level: str) -> None:
    questions, _ = content()
    of_level = {question.id for question in filter_by_level(questions, level)}
    for recent, plan in a_month(PlanRequest(45, role="algorithm", level=level)):
        drawn = {part.id for part in plan.parts if part.kind == "question"}
        assert not drawn & set(recent) or of_level <= {*recent, *drawn}
        is_early = level not in RARE_LEVELS and not of_level - RARE_QUESTIONS <= {*recent, *drawn}
        assert not is_early or not drawn & RARE_QUESTIONS
