"""If time is left after the plan, the next question is offered by the plan's rules, and nothing is repeated."""

from __future__ import annotations

from dataclasses import replace

import pytest

from interviewer.session import events
from interviewer.session.debrief import debrief
from interviewer.session.engine import InvalidTransition, fold
from interviewer.session.move import MoveKind
from interviewer.session.plan import OFFER_MINUTES_MIN, PlanRequest, make_plan
from interviewer.session.state import Awaiting
from tests.session.build import Run, brief, question, started
from tests.session.test_plan import LARGE, TASKS


def offering(spare: tuple[str, ...] = ("entropy", "third"), minutes: float = 60.0) -> Run:
    """Return a session with one question and these spare ones."""
    start = started(("question", "clipping"), minutes=minutes)
    named = tuple(question(name) for name in ("clipping", *spare))
    return Run(replace(start, plan=replace(start.plan, spare=spare), questions=named))


def skip(run: Run, seconds: float = 1.0) -> None:
    run.apply(events.SkipAsked(run.now + seconds))


def test_each_spare_question_is_offered_once_and_then_the_session_ends() -> None:
    run = offering()
    for name in ("entropy", "third"):
        skip(run)
        assert run.session.awaiting is Awaiting.OFFER
        assert run.moves[-1].kind is MoveKind.OFFER
        assert f"It would be: {name}." in run.moves[-1].text
        assert not run.session.is_over
        run.apply(events.QuestionAdded(run.now + 1, name))
        assert run.moves[-1].text == f"Why does {name} work?"
        assert run.session.current_part is not None
        assert run.session.current_part.id == name
    skip(run)
    assert run.session.is_over
    assert [part.id for part in run.session.plan.parts] == ["clipping", "entropy", "third"]
    assert [drill.question for drill in run.session.drills] == ["clipping", "entropy", "third"]
    assert fold(run.events) == run.session
    assert "- **third**: not answered." in debrief(run.session)


@pytest.mark.parametrize("left", [OFFER_MINUTES_MIN + 1, OFFER_MINUTES_MIN - 1])
def test_it_is_offered_only_with_eight_minutes_left(left: float) -> None:
    run = offering()
    skip(run, seconds=60 * (60 - left))
    assert (run.session.awaiting is Awaiting.OFFER) is (left > OFFER_MINUTES_MIN)
    assert run.session.is_over is (left < OFFER_MINUTES_MIN)
    if not run.session.is_over:
        assert f"and {int(left) - 1} minutes are left." in run.moves[-1].text, "a second was spent on the prompt"
        run.apply(events.QuestionAdded(run.now + 1, "entropy"))
        assert run.session.plan.parts[-1].minutes == pytest.approx(left, abs=0.1)


def test_an_offer_can_be_declined_and_an_end_is_no_offer() -> None:
    run = offering()
    skip(run)
    run.apply(events.EndAsked(run.now + 1))
    assert run.session.is_over
    ended = offering()
    ended.apply(events.EndAsked(ended.now + 1))
    assert ended.session.is_over
    assert MoveKind.OFFER not in [move.kind for move in ended.moves]
    none = offering(spare=())
    skip(none)
    assert none.session.is_over


def test_only_what_was_offered_can_be_accepted() -> None:
    run = offering()
    with pytest.raises(InvalidTransition, match="QuestionAdded while the session awaits answer"):
        run.apply(events.QuestionAdded(run.now + 1, "entropy"))
    run = offering()
    skip(run)
    with pytest.raises(InvalidTransition, match="third was not offered"):
        run.apply(events.QuestionAdded(run.now + 1, "third"))


def test_a_drawn_plan_has_spare_questions_by_its_own_rules() -> None:
    recent = tuple(each.id for each in LARGE[:20])
    level_of = {each.id: each.level for each in LARGE}
    for seed in range(20):
        plan = make_plan(LARGE, TASKS, PlanRequest(45, level="new_grad", recent=recent), seed)
        assert len(plan.spare) == 3
        assert len({*plan.spare, *(part.id for part in plan.parts)}) == 3 + len(plan.parts)
        assert {level_of[name] for name in plan.spare} <= {1, 2, 3}
        assert not set(plan.spare) & set(recent), "12 questions of the level are fresh"


def test_after_named_parts_questions_on_the_same_topics_come_first_and_recent_ones_last() -> None:
    topics = {"l1": ("entropy", "PPO"), "l2": ("PPO",), "l3": ("entropy",), "l4": ("GRPO",), "l5": ("GRPO",)}
    bank = [replace(each, topics=topics.get(each.id, ("numerics",))) for each in LARGE]
    task = replace(brief("x"), topics=("GRPO",))
    for seed in range(10):
        plan = make_plan(bank, (*TASKS, task), PlanRequest(45, questions=("l1",)), seed)
        assert [part.id for part in plan.parts] == ["l1"], "the plan itself is exactly what was named"
        assert set(plan.spare[:2]) == {"l2", "l3"}
        assert len(plan.spare) == 3
        assert set(make_plan(bank, (*TASKS, task), PlanRequest(45, tasks=("x",)), seed).spare[:2]) == {"l4", "l5"}
        asked = make_plan(bank, (*TASKS, task), PlanRequest(45, questions=("l1",), recent=("l2", "l3")), seed)
        assert not {"l1", "l2", "l3"} & set(asked.spare)
    assert make_plan(LARGE[:1], TASKS, PlanRequest(45, questions=("l0",)), 0).spare == ()


def test_a_rare_question_is_offered_last_even_on_the_same_topic() -> None:
    rare = replace(LARGE[0], id="offline_rl", topics=("PPO",), level=3)
    bank = [replace(LARGE[5], topics=("PPO",)), *(replace(each, topics=("numerics",)) for each in LARGE[1:3]), rare]
    spare = make_plan(bank, TASKS, PlanRequest(45, questions=("l5",)), 0).spare
    assert (set(spare[:2]), spare[2]) == ({"l1", "l2"}, "offline_rl")
    repeated = make_plan(bank, TASKS, PlanRequest(45, questions=("l5",), recent=("l1", "l2")), 0).spare
    assert repeated[0] == "offline_rl", "but before a question is repeated"
    senior = make_plan(bank, TASKS, PlanRequest(45, questions=("l5",), level="senior"), 0)
    assert senior.spare[0] == "offline_rl"
