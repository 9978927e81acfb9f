"""A request for a hint never changes what the answer counts for, apart from the price that was named."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from graders.verdict import Verdict
from interviewer.log.history import attempts_of
from interviewer.session import phrases
from interviewer.session.debrief import debrief
from interviewer.session.engine import Assess
from interviewer.session.events import (
    AnswerTakenBack,
    Assessed,
    CandidateSaid,
    GradingFailed,
    HintAsked,
    InterviewerSaid,
    ObserverAsked,
    Submitted,
)
from interviewer.session.move import MoveKind
from interviewer.session.policy import hint_price
from interviewer.session.scoring import seconds_taken
from tests.session.build import RUNGS, Run, heard, must, report, started

ONE = ("question", "clipping")
CODE = ("task", "ppo_clip_loss")


def ask_for_hint(run: Run) -> None:
    run.apply(HintAsked(run.now + 1))


def doubted() -> Run:
    """Return a run in which a right answer is doubted: the opening covered every rung."""
    run = Run(started(ONE))
    move = run.answer(heard(*(f"p{number}" for number in range(1, RUNGS + 1))))
    assert must(move).kind is MoveKind.DOUBT
    return run


def test_an_improvised_question_is_repeated_and_stays_unscored() -> None:
    run = Run(started(ONE, examiner="llm:x"))
    run.improvise("What breaks on 64 nodes?")
    assert hint_price(run.session) == phrases.NO_HINT_LEFT
    ask_for_hint(run)
    assert run.session.transcript[-1].text == f"{phrases.NO_HINT_HERE}\n\nWhat breaks on 64 nodes?"
    run.apply(CandidateSaid(run.now + 5, "The all-reduce."))
    assert not isinstance(run.pending, Assess)
    drill = run.session.drills[0]
    assert drill.is_over
    assert drill.answers[-1].assessment.why_not == phrases.NEVER_SCORED
    assert "you passed the last rung" in debrief(run.session)


@pytest.mark.parametrize(("flag", "stood"), [("stands", True), ("gives_in", False)])
def test_a_doubt_stays_a_doubt(flag: str, stood: bool) -> None:
    run = doubted()
    assert hint_price(run.session) == phrases.NO_HINT_LEFT
    ask_for_hint(run)
    assert (run.moves[-1].kind, run.moves[-1].words) == (MoveKind.DOUBT, phrases.ARE_YOU_SURE)
    run.answer(heard(flags=(flag,)))
    assert run.session.drills[0].doubts[0].stood is stood


def test_a_question_about_a_misconception_stays_one() -> None:
    run = Run(started(ONE))
    run.answer(heard())
    assert must(run.answer(heard(beliefs=("wrong",)))).kind is MoveKind.CHALLENGE
    ask_for_hint(run)
    assert (run.moves[-1].kind, run.moves[-1].lead) == (MoveKind.CHALLENGE, phrases.small_help("hint 1a"))
    run.answer(heard("p1"))
    assert run.session.drills[0].corrected == ("wrong",)


def test_after_a_retraction_a_hint_does_not_restore_the_credit() -> None:
    run = Run(started(ONE))
    run.answer(heard())
    run.answer(heard("p1"))
    run.apply(AnswerTakenBack(run.now + 1))
    assert hint_price(run.session) == phrases.hint_price(0.5)
    ask_for_hint(run)
    run.answer(heard("p1"))
    assert run.session.drill.answers[-1].weight == 0.5


def test_a_hint_after_a_pass_is_not_counted() -> None:
    run = Run(started(CODE, ONE))
    run.submit(report())
    question = must(run.session.answered).words
    assert hint_price(run.session) == phrases.NO_HINT_LEFT
    ask_for_hint(run)
    assert run.session.transcript[-1].text == f"{phrases.NO_HINT_HERE}\n\n{question}"
    run.apply(CandidateSaid(run.now + 5, "The loop."))
    work = run.session.works[0]
    assert work.is_over
    assert work.hints == 0
    assert seconds_taken(run.session, work) is not None
    assert [attempt.hints for attempt in attempts_of(run.session)] == [0]
    assert "“The loop.”" in debrief(run.session)


def fail_to_grade(run: Run) -> None:
    run._apply(Submitted(run.now + 30, "code"))
    run.apply(GradingFailed(run.now + 1, "docker", "no engine.", "Start it."))


def submit_unloadable(run: Run) -> None:
    unloaded = report(Verdict.NOT_LOADED)
    run.submit(replace(unloaded, cases=unloaded.cases[1:]))


@pytest.mark.parametrize("resubmit", [fail_to_grade, submit_unloadable])
def test_a_file_that_is_not_graded_leaves_the_question_after_the_pass_open(resubmit: Callable[[Run], None]) -> None:
    run = Run(started(CODE, ONE))
    run.submit(report())
    question = must(run.session.answered).words
    resubmit(run)
    ask_for_hint(run)
    assert run.session.transcript[-1].text == f"{phrases.NO_HINT_HERE}\n\n{question}"
    run.apply(CandidateSaid(run.now + 5, "The loop."))
    assert run.session.works[0].is_over
    assert "“The loop.”" in debrief(run.session)


def test_no_hint_is_left_after_a_pass_and_a_failing_resubmission() -> None:
    run = Run(started(CODE, ONE))
    run.submit(report())
    run.submit(report(Verdict.WRONG_VALUE, "max_for_min"))
    assert hint_price(run.session) == phrases.NO_HINT_LEFT
    ask_for_hint(run)
    assert run.session.transcript[-1].text.endswith(phrases.NO_HINT_AFTER_PASS)
    assert run.session.works[0].hints == 0


def test_a_repeated_question_can_still_be_asked_about() -> None:
    run = Run(started(CODE, ONE))
    run.submit(report())
    ask_for_hint(run)
    run.apply(CandidateSaid(run.now + 5, "What do you mean by inputs grow?"))
    assert not run.session.works[0].is_over
    assert phrases.YOUR_READING in run.session.transcript[-1].text


@pytest.mark.parametrize("mistake", ["max_for_min", ""])
def test_a_log_of_an_earlier_version_that_left_the_task_after_a_resubmission_folds(mistake: str) -> None:
    run = Run(started(CODE, ONE))
    run.submit(report())
    run.submit(report(Verdict.WRONG_VALUE, mistake))
    run._apply(CandidateSaid(run.now + 5, "I took the maximum."))
    run._apply(InterviewerSaid(run.now + 1, MoveKind.NEXT, "Noted. This is not judged. Why does clipping work?"))
    assert run.session.works[0].is_over
    run.answer(heard("p1"))
    assert run.session.drills[0].answers[0].text == "an answer"


def test_words_after_a_failing_resubmission_are_not_the_answer_to_the_question_after_the_pass() -> None:
    run = Run(started(CODE, ONE))
    run.submit(report())
    run.submit(report(Verdict.WRONG_VALUE, "max_for_min"))
    run._apply(CandidateSaid(run.now + 5, "I took the maximum."))
    assert isinstance(run.pending, Assess), "the interviewer asked about this failure"
    assert "I took the maximum" not in debrief(run.session)


def test_an_observers_answer_is_not_the_answer_to_the_question_after_the_pass() -> None:
    run = Run(started(CODE, ONE))
    run.submit(report())
    run.apply(ObserverAsked(run.now + 1, 1, "Ann", "Why float32?"))
    run.apply(CandidateSaid(run.now + 5, "It is enough here."))
    assert run.session.transcript[-1].text == phrases.NOTED_CODING, "there is no failing case"
    after_pass = next(line for line in debrief(run.session).splitlines() if line.startswith("Asked after you passed"))
    assert after_pass.endswith("Not answered.")


def test_a_session_with_hints_from_an_earlier_version_still_folds() -> None:
    run = Run(started(ONE, examiner="llm:x"))
    run.improvise("What breaks on 64 nodes?")
    run._apply(HintAsked(run.now + 1))
    said = replace(must(run.session.move), kind=MoveKind.HINT)
    run.apply(InterviewerSaid(run.now + 1, said.kind, said.text))
    run.apply(CandidateSaid(run.now + 5, "The all-reduce."))
    run.apply(Assessed(run.now, heard()))
    assert run.session.drills[0].answers[-1].rung == RUNGS
