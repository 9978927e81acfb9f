"""An observer's question takes one turn and changes nothing else; marks are separate; everything can be replayed."""

from __future__ import annotations

import itertools
import random

import pytest

from interviewer.session import events, observer_turns, phrases
from interviewer.session.assessment import State
from interviewer.session.codec import from_plain, to_plain
from interviewer.session.debrief import debrief
from interviewer.session.engine import Assess, InvalidTransition, fold, step
from interviewer.session.events import dump_event, load_event
from interviewer.session.move import MoveKind
from interviewer.session.scoring import session_depth
from interviewer.session.state import Awaiting, ObserverMark, Session
from tests.session.build import Run, heard, report, started

ONE = ("question", "clipping")
CODE = ("task", "ppo_clip_loss")
ASK = "Have you ever met this in a run of yours?"


def displacing(run: Run, note: int = 1, text: str = ASK) -> None:
    """Answer the current question, and ask an observer's question before the follow-up."""
    run._apply(events.CandidateSaid(run.now + 10, "an answer"))
    run._apply(events.Assessed(run.now, heard("p1")))
    run.apply(events.ObserverAsked(run.now, note, "ada", text))


def replayed(run: Run) -> Session:
    """Return the state that results from the events as they are written to the log."""
    return fold(load_event(dump_event(event)) for event in run.events)


def test_the_observers_question_is_said_in_place_of_the_follow_up_which_comes_after_it() -> None:
    run, plain = Run(started(ONE)), Run(started(ONE))
    displacing(run)
    follow_up = plain.answer(heard("p1"))

    assert [(turn.move, turn.text) for turn in run.session.transcript][-1] == (MoveKind.OBSERVER, ASK)
    run.apply(events.CandidateSaid(run.now + 5, "Once, with forty epochs."))

    assert run.moves[-1] == follow_up
    assert run.session.awaiting is Awaiting.ANSWER
    assert run.session.drills == plain.session.drills
    assert replayed(run) == run.session


def test_the_answer_to_it_is_judged_by_nothing_and_the_depth_is_the_same() -> None:
    run, plain = Run(started(ONE)), Run(started(ONE))
    displacing(run)
    run._apply(events.CandidateSaid(run.now + 5, "word2 word3 word4"))
    assert not run.waits_for(Assess)
    run._say_moves()
    plain.answer(heard("p1"))
    for candidate in (run, plain):
        while not candidate.session.drill.is_over:
            candidate.answer(heard())
    assert session_depth(run.session, run.session.drill) == session_depth(plain.session, plain.session.drill)
    assert run.session.drill == plain.session.drill


def test_two_questions_in_a_row_and_a_skip_lose_no_move() -> None:
    run = Run(started(ONE, ("question", "entropy")))
    displacing(run)
    run._apply(events.CandidateSaid(run.now + 5, "first"))
    run.apply(events.ObserverAsked(run.now, 2, "ada", "And why?"))
    run.apply(events.CandidateSaid(run.now + 5, "second"))
    assert run.moves[-1].kind is MoveKind.DEEPER
    run.answer(heard("p2"))
    assert len(run.session.drill.answers) == 2
    run._apply(events.CandidateSaid(run.now + 5, "x"))
    run._apply(events.Assessed(run.now, heard("p3")))
    run.apply(events.ObserverAsked(run.now, 3, "ada", "Sure?"))
    run.apply(events.SkipAsked(run.now + 1))
    assert run.session.drill.left_why == "skipped"
    assert replayed(run) == run.session


def test_a_hint_during_it_costs_nothing_and_says_whose_question_it_is() -> None:
    run = Run(started(ONE))
    displacing(run)
    run.apply(events.HintAsked(run.now + 1))
    assert run.moves[-1].lead.startswith("An observer asked this question.")
    assert run.session.drill.hints == ()
    run.apply(events.CandidateSaid(run.now + 1, "no idea"))
    assert run.moves[-1].kind is MoveKind.DEEPER


def test_a_question_about_it_gets_the_question_again_once() -> None:
    run = Run(started(ONE))
    displacing(run)
    run.apply(events.CandidateSaid(run.now + 5, "Do you mean the coefficient?"))
    assert (run.moves[-1].kind, run.moves[-1].words) == (MoveKind.OBSERVER, ASK)
    assert run.moves[-1].lead == phrases.YOUR_READING
    assert replayed(run) == run.session
    run.apply(events.CandidateSaid(run.now + 5, "And which coefficient?"))
    assert run.moves[-1].kind is MoveKind.DEEPER
    run.answer(heard("p2"))
    assert len(run.session.drill.answers) == 2
    assert replayed(run) == run.session


def test_a_log_of_an_earlier_version_in_which_it_was_not_repeated_folds_as_before() -> None:
    run, plain = Run(started(ONE)), Run(started(ONE))
    displacing(run)
    follow_up = plain.answer(heard("p1"))
    assert follow_up is not None
    run._apply(events.CandidateSaid(run.now + 5, "Do you mean the coefficient?"))
    run._apply(events.InterviewerSaid(run.now + 1, follow_up.kind, follow_up.text))
    assert run.session.answered == follow_up
    run.answer(heard("p2"))
    plain.answer(heard("p2"))
    assert run.session.drill == plain.session.drill

    again = Run(started(ONE))
    displacing(again)
    again._apply(events.CandidateSaid(again.now + 5, "Do you mean the coefficient?"))
    again.apply(events.ObserverAsked(again.now, 2, "ada", "And why?"))
    again.apply(events.CandidateSaid(again.now + 5, "Because."))
    assert again.moves[-1] == follow_up


@pytest.mark.parametrize("seed", range(30))
def test_asked_at_any_moment_it_changes_no_result(seed: int) -> None:
    """Two candidates say the same; an observer also questions one of them, before each turn that allows it."""
    chance = random.Random(seed)
    start = started(ONE, ("question", "entropy"), minutes=600, seed=seed)
    run, plain, notes = Run(start), Run(start), itertools.count(1)
    while plain.session.awaiting is Awaiting.ANSWER:
        judged = heard(*chance.sample(["p1", "p2", "p3", "p4"], chance.randrange(3)))
        plain._apply(events.CandidateSaid(plain.now + 10, "an answer"))
        run._apply(events.CandidateSaid(run.now + 10, "an answer"))
        for candidate in (run, plain):
            candidate._apply(events.Assessed(candidate.now, judged))
            if candidate.session.awaiting is Awaiting.SELF_MARKS:
                candidate._apply(events.SelfMarked(candidate.now + 1, ()))
        while observer_turns.may_ask(run.session) and chance.random() < 0.5:
            run.apply(events.ObserverAsked(run.now, next(notes), "ada", ASK))
            run._apply(events.CandidateSaid(run.now + 5, "to the observer"))
        for candidate in (run, plain):
            candidate._say_moves()
    assert next(notes) > 1
    assert run.session.drills == plain.session.drills
    assert run.session.is_over
    assert plain.session.is_over
    ours = [turn.text for turn in run.session.transcript if turn.move and turn.move is not MoveKind.OBSERVER]
    assert ours == [turn.text for turn in plain.session.transcript if turn.is_interviewer]
    assert replayed(run) == run.session


def test_it_can_be_asked_while_code_is_written_and_the_work_goes_on() -> None:
    run = Run(started(CODE))
    run.apply(events.ObserverAsked(run.now, 1, "ada", "Why the minimum?"))
    assert run.session.awaiting is Awaiting.SUBMISSION
    run.apply(events.CandidateSaid(run.now + 1, "It is the pessimist's choice."))
    run.submit(report())
    assert run.session.work.has_passed
    assert replayed(run) == run.session


def test_the_same_note_twice_and_a_turn_that_is_not_free_are_refused() -> None:
    run = Run(started(ONE))
    with pytest.raises(InvalidTransition):  # the candidate's turn
        step(run.session, events.ObserverAsked(run.now, 1, "ada", ASK))
    displacing(run)
    run._apply(events.CandidateSaid(run.now + 5, "first"))
    with pytest.raises(InvalidTransition):
        step(run.session, events.ObserverAsked(run.now, 1, "ada", ASK))


def test_marks_are_a_third_column_and_move_nothing() -> None:
    run, plain = Run(started(ONE)), Run(started(ONE))
    for candidate in (run, plain):
        candidate.answer(heard("p1"))
    before = run.session
    marks = tuple(ObserverMark("clipping", point, State.SHOWN, "ada") for point in ("p2", "p3"))
    run.apply(events.ObserverMarked(run.now, 2, marks))
    run.apply(events.ObserverMarked(run.now, 3, (ObserverMark("clipping", "p3", State.MISSING, "ada"),)))

    assert (run.session.drills, run.session.awaiting, run.session.move) == (before.drills, before.awaiting, before.move)
    assert run.session.observed.state_of("clipping", "p2") is State.SHOWN
    assert run.session.observed.state_of("clipping", "p3") is State.MISSING
    assert from_plain(Session, to_plain(run.session)) == replayed(run) == run.session
    with pytest.raises(InvalidTransition):
        step(run.session, events.ObserverMarked(run.now, 4, (ObserverMark("clipping", "p9", State.SHOWN, "ada"),)))
    lines = debrief(run.session).splitlines()
    assert "- Point 2 of clipping. **not heard**. Observer's mark: shown." in lines
    assert "- Point 1 of clipping. **heard** “quote of p1”" in lines
    assert "Observer" not in debrief(plain.session)


def test_the_debrief_shows_what_the_observer_asked_as_text() -> None:
    run = Run(started(ONE))
    displacing(run, text="Why [this](http://x)?")
    run.apply(events.CandidateSaid(run.now + 5, "Because **so**."))
    assert "- Why [this\\](http://x)? “Because \\*\\*so\\*\\*.”" in debrief(run.session)
