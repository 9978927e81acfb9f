"""Retractions and appeals: a retracted answer leaves no trace in a result, and an appeal changes none."""

from __future__ import annotations

import random

import pytest

from interviewer.session import events, phrases
from interviewer.session.assessment import State
from interviewer.session.codec import from_plain, to_plain
from interviewer.session.debrief import debrief
from interviewer.session.engine import AskSelfMarks, InvalidTransition, fold
from interviewer.session.events import dump_event, load_event
from interviewer.session.move import MoveKind
from interviewer.session.policy import hint_price
from interviewer.session.revisions import take_back_cost, take_back_refusal
from interviewer.session.scoring import session_depth
from interviewer.session.state import Awaiting, Session
from tests.session.build import Run, heard, started

A, B, CODE = ("question", "a"), ("question", "b"), ("task", "ppo_clip_loss")


def say(run: Run, text: str) -> None:
    """Send an answer that has not been judged yet."""
    run.apply(events.CandidateSaid(run.now + 5, text))
    assert run.session.awaiting is Awaiting.ASSESSMENT


def take_back(run: Run) -> Session:
    return run.apply(events.AnswerTakenBack(run.now + 1))


def test_an_answer_taken_back_before_it_is_judged_leaves_no_trace_but_the_record() -> None:
    run, plain = Run(started(A)), Run(started(A))
    for text in ("one", "two"):
        say(run, text)
        take_back(run)
        assert run.session.awaiting is Awaiting.ANSWER
        assert run.session.last_said(by_interviewer=True) == "Why does a work?"
        assert run.session.last_said(by_interviewer=False) == ""
    for candidate in (run, plain):
        candidate.answer(heard("p1", "p2"), "three")
    assert run.session.drill == plain.session.drill
    assert [turn.text for turn in run.session.transcript] == [turn.text for turn in plain.session.transcript]
    taken_back = [(answer.answer.text, answer.reply) for answer in run.session.taken_back]
    assert taken_back == [("one", None), ("two", None)]
    assert "a, before it was judged: “one”" in debrief(run.session)


def test_after_the_reply_the_state_goes_back_and_the_next_answer_counts_half() -> None:
    run = Run(started(A))
    run.answer(heard("p1"))
    asked, drill = run.session.answered, run.session.drill
    assert asked is not None
    assert asked.rung == 2
    run.answer(heard(), "too early")
    assert run.session.transcript[-1].move is MoveKind.PROBE
    assert take_back_cost(run.session) == phrases.TAKE_BACK_PRICE
    session = take_back(run)
    assert session.drill == drill
    assert session.last_said(by_interviewer=True) == asked.text
    run.answer(heard("p2"), "now whole")
    first, second = run.session.drill.answers
    assert (second.text, second.rung, second.weight, second.has_passed) == ("now whole", 2, 0.5, True)
    assert first == drill.answers[0]
    [gone] = run.session.taken_back
    assert gone.answer.text == "too early"
    assert gone.reply is not None
    assert "a, after its reply was shown: “too early”" in debrief(run.session)


@pytest.mark.expectation(number=31)
def test_depth_does_not_know_what_was_taken_back() -> None:
    run, failed = Run(started(A)), Run(started(A))
    for candidate in (run, failed):
        candidate.answer(heard("p1"))
        candidate.answer(heard())
    before = session_depth(run.session, run.session.drill)
    take_back(run)
    after = session_depth(run.session, run.session.drill)
    assert before is not None
    assert after is not None
    assert after.mean > before.mean
    run.answer(heard("p2"))
    failed.answer(heard("p2"))
    better, worse = session_depth(run.session, run.session.drill), session_depth(failed.session, failed.session.drill)
    assert better is not None
    assert worse is not None
    assert better.mean > worse.mean


def test_once_for_each_question_after_the_reply() -> None:
    run = Run(started(A, B, examiner="llm:x"))
    run.answer(heard("p1"))
    assert take_back_cost(run.session) == phrases.TAKE_BACK_OPENING
    take_back(run)
    run.answer(heard("p1"))
    assert take_back_refusal(run.session) == phrases.TAKEN_BACK_ONCE
    with pytest.raises(InvalidTransition):
        take_back(run)
    say(run, "before a judge has it, it may still go")
    take_back(run)
    run.apply(events.SkipAsked(run.now + 1))
    run.answer(heard("p1"))
    assert take_back_refusal(run.session) == ""


def test_an_answer_that_its_reply_rests_on_stands() -> None:
    run = Run(started(A))
    assert take_back_refusal(run.session) == phrases.NOTHING_TO_TAKE_BACK
    run.answer(heard("p1", beliefs=("wrong",)))
    assert run.session.transcript[-1].move is MoveKind.CHALLENGE
    assert take_back_refusal(run.session) == phrases.REPLY_RESTS_ON_IT
    run = Run(started(A))
    run.answer(heard())
    run.answer(heard(flags=("does_not_know",)))
    assert run.session.transcript[-1].move is MoveKind.HINT
    with pytest.raises(InvalidTransition):
        take_back(run)


def test_nothing_is_taken_back_after_more_was_said_or_what_was_heard_is_shown() -> None:
    run = Run(started(A, CODE))
    run.answer(heard("p1"))
    run.apply(events.HintAsked(run.now + 1))
    assert take_back_refusal(run.session) == phrases.NOTHING_TO_TAKE_BACK
    run.answer(heard("p2"))
    run.apply(events.SkipAsked(run.now + 1))
    assert run.waits_for(AskSelfMarks)
    assert take_back_refusal(run.session) == phrases.NOTHING_TO_TAKE_BACK
    run.apply(events.SelfMarked(run.now + 1, ()))
    assert run.session.awaiting is Awaiting.SUBMISSION
    with pytest.raises(InvalidTransition):
        take_back(run)


def test_any_second_thoughts_replay_to_the_same_state() -> None:
    used = set()
    for seed in range(60):
        rng, run = random.Random(seed), Run(started(A, B, examiner="llm:x", seed=seed))
        for _ in range(40):
            if run.session.awaiting is not Awaiting.ANSWER:
                break
            if run.session.answered is None or run.session.answered.kind is MoveKind.IMPROVISE:
                run.apply(events.SkipAsked(run.now + 1))
                continue
            if not take_back_refusal(run.session) and rng.random() < 0.4:
                take_back(run)
                used.add("after")
            elif rng.random() < 0.2:
                say(run, "early")
                take_back(run)
                used.add("before")
            else:
                run.answer(heard(*(f"p{n}" for n in range(1, 5) if rng.random() < 0.3)), f"{rng.random()}")
        again = fold(load_event(dump_event(event)) for event in run.events)
        assert again == run.session
        assert from_plain(Session, to_plain(run.session)) == run.session
    assert used == {"before", "after"}


def appeal(run: Run, point: str, why: str, question: str = "a") -> Session:
    return run.apply(events.Appealed(run.now + 1, question, point, why))


def test_an_appeal_stands_beside_the_finding_and_changes_no_result() -> None:
    run = Run(started(A))
    run.answer(heard("p1"))
    with pytest.raises(InvalidTransition):
        appeal(run, "p2", "not yet: the question is not left")
    run.apply(events.SkipAsked(run.now + 1))
    drill, depth = run.session.drill, session_depth(run.session, run.session.drill)
    appeal(run, "p2", "I said *that* with other words")
    appeal(run, "p1", "so was this")
    session = appeal(run, "p2", "I said *that*, in other words")
    assert session.drill.appeal_of("p2") == "I said *that*, in other words"
    assert (session.drill.credits, session.drill.answers) == (drill.credits, drill.answers)
    assert session_depth(session, session.drill) == depth
    assert r"**not heard**. Your appeal: I said \*that\*, in other words" in debrief(session)
    session = appeal(run, "p2", "")
    assert [appeal.point for appeal in session.drill.appeals] == ["p1"]
    with pytest.raises(InvalidTransition):
        appeal(run, "p9", "no such point")
    with pytest.raises(InvalidTransition):
        appeal(run, "p1", "no such question", question="b")


def test_an_appeal_after_the_end_takes_no_time_and_reopens_nothing() -> None:
    run = Run(started(A, B))
    run.answer(heard("p1"))
    run.apply(events.EndAsked(run.now + 1))
    over = run.session
    run.apply(events.Appealed(run.now + 86_400, "a", "p3", "heard wrongly"))
    assert run.session.is_over
    assert run.session.elapsed_seconds == over.elapsed_seconds
    assert run.session.drills[0].appeal_of("p3") == "heard wrongly"
    assert run.session.drills[0].credit_of("p3") is None
    assert {credit.state for credit in run.session.drills[0].credits} == {State.SHOWN}


@pytest.mark.expectation(number=32)
def test_the_price_of_a_hint_is_what_it_then_costs() -> None:
    run = Run(started(A, CODE))
    run.answer(heard("p1"))
    prices = []
    for _ in range(2):
        prices.append(hint_price(run.session))
        run.apply(events.HintAsked(run.now + 1))
        weight = run.moves[-1].weight
        assert prices[-1] == phrases.hint_price(weight)
    assert hint_price(run.session) == phrases.NO_HINT_LEFT
    run.answer(heard(flags=("does_not_know",)))
    run.apply(events.SkipAsked(run.now + 1))
    assert hint_price(run.session) == ""
    run.apply(events.SelfMarked(run.now + 1, ()))
    assert hint_price(run.session) == phrases.TASK_HINT_PRICE
    for _ in range(2):
        run.apply(events.HintAsked(run.now + 1))
    assert hint_price(run.session) == phrases.NO_HINT_LEFT


def test_a_hint_that_costs_credit_says_how_much() -> None:
    run = Run(started(A))
    run.answer(heard("p1"))
    run.answer(heard(flags=("does_not_know",)))
    assert hint_price(run.session) == "no credit lost; the question comes back sooner"
    run.apply(events.HintAsked(run.now + 1))
    assert hint_price(run.session) == "the answer counts 75%; the question comes back sooner"
    run.apply(events.HintAsked(run.now + 1))
    assert run.moves[-1].weight == 0.75
