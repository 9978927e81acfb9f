"""Follow-ups fit what was said: no second request for a case or a credited part, and no probe without its context."""

from __future__ import annotations

from dataclasses import replace

import pytest

from interviewer.session import phrases
from interviewer.session.assessment import Assessment
from interviewer.session.events import HintAsked
from interviewer.session.move import MoveKind
from interviewer.session.question import Probe, Question
from tests.session.build import Run, heard, must, question, started
from tests.session.test_checks import checked_question

ONE = ("question", "clipping")
LONG = (
    "The policy is pushed too far in one direction, so the update stops being trustworthy there, and whatever the"
    " critic says about it does not matter any more because the term that carries the slope is gone."
)


def run_of(asked: Question, examiner: str = "offline") -> Run:
    return Run(replace(started(ONE, examiner=examiner), questions=(asked,)))


def by_model(assessment: Assessment) -> Assessment:
    return replace(assessment, judge="llm:x")


def two_point_rung(base: Question, number: int, *points: str) -> Question:
    """Return the question with these points at one rung."""
    rungs = [*base.rungs]
    rungs[number - 1] = replace(rungs[number - 1], points=points)
    return replace(base, rungs=tuple(rungs))


def test_an_abstract_answer_is_asked_for_a_case() -> None:
    run = run_of(question())
    run.answer(heard("p1"))
    move = must(run.answer(heard(), text=LONG))
    assert (move.kind, move.words) == (MoveKind.CLARIFY, phrases.CONCRETE_CASE)


@pytest.mark.parametrize(
    "case",
    [
        "With eps = 0.2 it is flat.",
        "For example, a token whose ratio doubled.",
        "Suppose the advantage is negative.",
        "Say, a token that became likelier, e.g. a comma.",
        "Take a token that became likelier.",
        "Sixteen answers share one baseline.",
        "Two ranks see different lengths.",
    ],
)
def test_an_answer_with_a_case_is_not_asked_for_one(case: str) -> None:
    run = run_of(question())
    run.answer(heard("p1"))
    move = must(run.answer(heard(), text=f"{LONG} {case}"))
    assert move.words != phrases.CONCRETE_CASE


def test_an_answer_that_was_understood_as_a_contradiction_is_not_asked_for_a_case() -> None:
    run = run_of(question())
    run.answer(heard("p1"))
    assert must(run.answer(heard(contradicted=("p2",)), text=LONG)).kind is MoveKind.CHALLENGE
    move = must(run.answer(heard(contradicted=("p2",)), text=LONG))
    assert move.words != phrases.CONCRETE_CASE


def test_a_rung_heard_in_part_at_every_point_is_checked_instead_of_asked() -> None:
    run = run_of(checked_question())
    move = must(run.answer(heard("p1", partial=("p2",))))
    assert (move.kind, move.rung) == (MoveKind.CHECK, 2)


@pytest.mark.parametrize(("heard_before", "rung"), [((), 3), (("p3",), 2)])
def test_a_recited_answer_is_followed_by_numbers_unless_part_of_them_was_heard(
    heard_before: tuple[str, ...], rung: int
) -> None:
    run = run_of(two_point_rung(question(numbers_at=3), 3, "p3", "p4"), "llm:x")
    run.answer(by_model(heard("p1", *heard_before)))
    run.answer(by_model(heard(partial=("p2",))))
    move = must(run.answer(by_model(heard("p2", flags=("recited",)))))
    assert (move.words == "clipping rung 3?") is (rung == 3)


def test_a_probe_before_its_rungs_question_quotes_what_was_said_about_that_rung() -> None:
    base = two_point_rung(question(), 3, "p3", "p4")
    bare = tuple(replace(point, still_open="") for point in base.points)
    run = run_of(replace(base, points=bare, probes=(Probe("clipping probe 4?", missing="p4"),)), "llm:x")
    run.answer(by_model(heard("p1", "p3")))
    move = must(run.answer(by_model(heard("p2"))))
    assert (move.kind, move.rung, move.lead) == (MoveKind.PROBE, 3, "You said: “quote of p3”")


def test_without_such_a_quote_the_rungs_own_question_is_asked() -> None:
    base = two_point_rung(question(), 3, "p3", "p4")
    bare = tuple(replace(point, still_open="") for point in base.points)
    run = run_of(replace(base, points=bare, probes=(Probe("clipping probe 4?", missing="p4"),)), "llm:x")
    opening = heard("p1", "p3")
    run.answer(by_model(replace(opening, points=tuple(replace(point, quote="") for point in opening.points))))
    move = must(run.answer(by_model(heard("p2"))))
    assert (move.kind, move.words) == (MoveKind.DEEPER, "clipping rung 3?")


@pytest.mark.parametrize("is_hint", [False, True])
def test_help_after_the_opening_skips_a_rung_that_was_just_credited(is_hint: bool) -> None:
    run = run_of(question(), "llm:x")
    assert must(run.answer(by_model(heard("p1", beliefs=("wrong",))))).kind is MoveKind.CHALLENGE
    if is_hint:
        run.apply(HintAsked(run.now + 1))
    else:
        run.answer(by_model(heard(flags=("does_not_know",))))
    assert (run.moves[-1].words, run.moves[-1].lead) == ("clipping rung 2?", phrases.START_HERE)
