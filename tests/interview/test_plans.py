"""Plans drawn from the real bank: an hour has two tasks, and no question is repeated while others are left."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from interviewer.config import LEVELS, Settings, find_folders
from interviewer.interview.context import AppContext
from interviewer.interview.sessions import _asked_recently, new_interview
from interviewer.session.plan import PlanRequest, make_plan
from tests.fakes import RecordingFrontend

pytestmark = pytest.mark.content
SEEDS = range(40)


@pytest.fixture
def context() -> Iterator[AppContext]:
    with AppContext(Settings(), find_folders(), environ={}) as context:
        yield context


@pytest.mark.parametrize("level", LEVELS)
def test_an_hour_has_two_tasks(context: AppContext, level: str) -> None:
    for seed in SEEDS:
        plan = make_plan(
            context.questions, context.tasks, PlanRequest(minutes=60.0, level="" if level == "any" else level), seed
        )
        assert sum(part.kind == "task" for part in plan.parts) == 2, seed


def test_what_a_session_never_reached_was_not_asked(context: AppContext) -> None:
    begun: list[str] = []
    for _ in range(3):
        interview = new_interview(context, PlanRequest(minutes=60.0))
        first, second, *_ = (part.id for part in interview.session.plan.parts)
        interview.run_until_input(RecordingFrontend())
        interview.answer('{"move": "next"} and "move": "task"')
        interview.run_until_input(RecordingFrontend())
        interview.skip()
        interview.run_until_input(RecordingFrontend())
        interview.mark(())
        interview.run_until_input(RecordingFrontend())
        interview.end()
        interview.run_until_input(RecordingFrontend())
        begun = [first, second, *begun]
    assert context.log.asked_since(time.time() - 60) == begun
    assert context.log.asked_since(time.time() + 60) == []
    assert _asked_recently(context) == tuple(begun)


@pytest.mark.parametrize("minutes", [20.0, 45.0, 60.0])
def test_no_question_returns_within_eight_sessions(context: AppContext, minutes: float) -> None:
    asked: list[str] = []
    for seed in range(8):
        request = PlanRequest(minutes=minutes, recent=tuple(reversed(asked)))
        plan = make_plan(context.questions, context.tasks, request, seed)
        asked += [part.id for part in plan.parts if part.kind == "question"]
    assert len(asked) == len(set(asked))
