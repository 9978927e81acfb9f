"""Whatever a candidate does, the session ends, repeats no question, and replays from its log to the same state."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from graders.verdict import Verdict
from interviewer.session import events, phrases
from interviewer.session.assessment import Assessment
from interviewer.session.engine import AskSelfMarks, fold
from interviewer.session.events import dump_event, load_event
from interviewer.session.move import Move, MoveKind
from interviewer.session.policy import ANSWERS_MAX
from interviewer.session.state import Awaiting
from tests.session.build import RUNGS, Run, heard, report, started, ungraded

POINTS = [f"p{n}" for n in range(1, RUNGS + 1)]


def random_assessment(rng: random.Random) -> Assessment:
    """Return any assessment an examiner might give."""
    if rng.random() < 0.15:
        return ungraded("the model gave no JSON")
    shown = [point for point in POINTS if rng.random() < 0.3]
    flags = [flag for flag in ("does_not_know", "asks_back", "echo") if rng.random() < 0.2]
    return heard(*shown, beliefs=("wrong",) if rng.random() < 0.2 else (), flags=tuple(flags))


def random_run(seed: int, examiner: str) -> Run:
    """Play a random session with a limited number of steps."""
    rng = random.Random(seed)
    run = Run(started(("question", "a"), ("task", "ppo_clip_loss"), ("question", "b"), examiner=examiner))
    for _ in range(80):
        if run.session.is_over:
            break
        if run.waits_for(AskSelfMarks):
            run.apply(events.SelfMarked(run.now, ()))
        elif run.session.awaiting is Awaiting.SUBMISSION:
            verdict = rng.choice([Verdict.PASSED, Verdict.WRONG_VALUE, Verdict.DEADLOCKED])
            act = rng.random()
            if act < 0.6:
                run.submit(report(verdict, rng.choice(["", "max_for_min"])))
            else:
                run.apply(events.HintAsked(run.now) if rng.random() < 0.5 else events.SkipAsked(run.now))
        elif run.session.answered is not None and run.session.answered.kind is MoveKind.IMPROVISE:
            run.apply(events.CandidateSaid(run.now + 1, "beyond"))
        elif rng.random() < 0.15:
            run.apply(events.HintAsked(run.now))
        else:
            run.answer(random_assessment(rng), text=f"answer {rng.random()}", seconds=rng.random() * 60)
    return run


def is_repeated_on_request(move: Move) -> bool:
    """Return whether a question is repeated because the candidate requested a hint or asked what it means."""
    hints = phrases.OUT_OF_HINTS, phrases.small_help("").partition("  ")[0]
    return move.lead.startswith((*hints, phrases.YOUR_READING, phrases.SAID_AGAIN, "I could not judge that answer"))


@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 10**6), examiner=st.sampled_from(["offline", "llm:x"]))
def test_a_session_ends_and_asks_no_question_twice(seed: int, examiner: str) -> None:
    run = random_run(seed, examiner)
    asked = [
        (move.kind, move.words)
        for move in run.moves
        if move.kind in (MoveKind.DEEPER, MoveKind.PROBE, MoveKind.CHALLENGE) and not is_repeated_on_request(move)
    ]
    assert len(asked) == len(set(asked))
    assert all(
        len(drill.answers) - len(drill.explained) <= ANSWERS_MAX + drill.improvised for drill in run.session.drills
    )
    if not run.session.is_over:
        assert run.session.awaiting in (Awaiting.SUBMISSION, Awaiting.ANSWER)
        run.apply(events.EndAsked(run.now))
    assert run.session.is_over


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_a_log_replays_to_the_same_state(seed: int) -> None:
    run = random_run(seed, "offline")
    lines = [dump_event(event) for event in run.events]
    assert fold(load_event(line) for line in lines) == run.session


@settings(max_examples=100)
@given(text=st.text(alphabet=st.characters(codec=None), max_size=200))
def test_any_text_survives_the_log(text: str) -> None:
    event = events.CandidateSaid(1.0, text)
    line = dump_event(event)
    assert "\n" not in line
    assert load_event(line) == event
