"""A contradicted point: who is asked about it and how, what the answer changes, and what the debrief says."""

from __future__ import annotations

from dataclasses import replace

import pytest

from interviewer.examiner.check_answers import assess_check, spelled
from interviewer.session import phrases
from interviewer.session.assessment import Assessment, CheckResult, State
from interviewer.session.debrief import debrief
from interviewer.session.engine import fold
from interviewer.session.events import EndAsked, dump_event, load_event
from interviewer.session.move import MoveKind
from interviewer.session.question import Question
from tests.session.build import Run, heard, must, question, started
from tests.session.test_checks import checked_question

ONE = ("question", "clipping")


def start(*, examiner: str = "offline", asked: Question | None = None) -> Run:
    return Run(replace(started(ONE, examiner=examiner), questions=(asked or checked_question(),)))


def contradicting(*points: str, shown: tuple[str, ...] = ()) -> Assessment:
    return heard(*shown, contradicted=points)


def test_a_contradicted_point_is_asked_about_in_the_candidates_words_and_without_its_answer() -> None:
    run = start()
    run.answer(heard("p1"))

    move = must(run.answer(contradicting("p2"), "against p2"))

    assert (move.kind, move.rung, move.target) == (MoveKind.CHALLENGE, 2, "p2")
    assert move.lead == "You said: “against p2”"
    assert move.words == "What follows from that? Tell me what point 2 is about."
    assert "Point 2 of clipping" not in move.text
    assert run.session.drill.answers[-1].has_passed is None


def test_the_check_of_the_rung_follows_whatever_the_answer_was() -> None:
    for answer in (heard("p2"), heard(), contradicting("p2"), heard(flags=("does_not_know",))):
        run = start()
        run.answer(heard("p1"))
        run.answer(contradicting("p2"))
        move = must(run.answer(answer))
        assert (move.kind, move.rung) == (MoveKind.CHECK, 2), answer


@pytest.mark.parametrize(("point", "kind", "rung"), [("p1", MoveKind.CHECK, 1), ("p2", MoveKind.CHECK, 2)])
def test_after_the_opening_the_rungs_where_the_ladder_starts_are_checked(point: str, kind: MoveKind, rung: int) -> None:
    run = start()
    move = must(run.answer(contradicting(point)))
    assert (move.kind, move.rung, move.target) == (MoveKind.CHALLENGE, 0, point)
    move = must(run.answer(heard()))
    assert (move.kind, move.rung) == (kind, rung)


def test_a_point_of_a_later_rung_is_asked_about_at_once_and_the_ladder_starts_where_it_would_have() -> None:
    run = start()
    by_model = replace(contradicting("p4", shown=("p1",)), judge="llm:x")
    assert must(run.answer(by_model)).target == "p4"
    move = must(run.answer(heard()))
    assert (move.kind, move.rung) == (MoveKind.DEEPER, 2)


def test_offline_a_point_far_from_the_question_is_not_asked_about() -> None:
    """To the offline examiner, a right answer often looks like a contradiction of a point of another rung."""
    run = start()
    assert must(run.answer(contradicting("p4", shown=("p1",)))).kind is not MoveKind.CHALLENGE
    run.answer(contradicting("p1"))
    credit = run.session.drill.credit_of("p1")
    assert credit is not None
    assert credit.state is State.SHOWN


def test_a_point_is_asked_about_once_and_two_such_questions_never_follow_each_other() -> None:
    run = start()
    assert must(run.answer(contradicting("p1", "p3"))).target == "p1"
    assert must(run.answer(contradicting("p1", "p3"))).kind is MoveKind.CHECK
    # The other point is asked about at its own rung, with a quote of the words that contradicted it.
    drawn = run.session.asked_check
    assert drawn is not None
    run.answer(assess_check(heard(), drawn, spelled(drawn)[0]))
    run.answer(heard("p2"))
    while run.session.drill.rung < 3:
        drawn = run.session.asked_check
        assert drawn is not None
        run.answer(assess_check(heard(), drawn, spelled(drawn)[0]))
    move = must(run.answer(heard()))
    assert (move.kind, move.target, move.rung) == (MoveKind.CHALLENGE, "p3", 3)
    assert move.lead == "Earlier you said: “against p3”"
    targets = [move.target for move in run.moves if move.kind is MoveKind.CHALLENGE]
    assert targets == ["p1", "p3"]


def test_at_most_two_points_of_a_question_are_asked_about() -> None:
    run = start(examiner="llm:x")
    for shown, against in (("p1", "p2"), ("p2", "p3"), ("p2", "p3"), ("p3", "p4"), ("p3", "p4"), ("p3", "p1")):
        if not run.session.is_over:
            run.answer(replace(contradicting(against, shown=(shown,)), judge="llm:x"))
    targets = [move.target for move in run.moves if move.kind is MoveKind.CHALLENGE]
    assert len(targets) == len(set(targets)) == 2


def test_no_credit_comes_from_the_answer_that_contradicts_and_a_good_answer_to_the_question_earns_it() -> None:
    run = start()
    run.answer(heard("p1"))
    run.answer(contradicting("p2"))
    assert run.session.drill.credits[-1].state is State.CONTRADICTED

    run.answer(heard("p2"))

    credit = run.session.drill.credit_of("p2")
    assert credit is not None
    assert credit.state is State.SHOWN
    [found] = run.session.drill.contradictions
    assert (found.point, found.quote, found.is_corrected) == ("p2", "against p2", True)


def test_the_debrief_says_what_was_corrected_and_what_was_not_and_accuses_nobody() -> None:
    says = {}
    for answer in (heard("p2"), heard()):
        run = start()
        run.answer(heard("p1"))
        run.answer(contradicting("p2"))
        run.answer(answer)
        run.apply(EndAsked(run.now + 1))
        [line] = [line for line in debrief(run.session).split("\n") if line.startswith("- Point 2") and "**" in line]
        says[answer] = line
    corrected, left = says.values()
    assert corrected == (
        "- Point 2 of clipping. **heard** “quote of p2”"
        " You said “against p2” before, which seemed to contradict this point. You corrected it when asked."
    )
    assert left == "- Point 2 of clipping. **may contradict this:** “against p2” You were asked about this."


def test_a_right_answer_to_a_check_outweighs_a_contradiction() -> None:
    run = start()
    run.answer(heard("p1"))
    run.answer(heard())
    drawn = run.session.asked_check
    assert drawn is not None
    move = must(run.answer(assess_check(contradicting("p2"), drawn, spelled(drawn)[0])))
    assert run.session.drill.answers[-1].assessment.check is CheckResult.RIGHT
    assert (move.kind, move.rung) == (MoveKind.DEEPER, 3)
    move = must(run.answer(contradicting("p2")))
    assert (move.kind, move.rung) == (MoveKind.CHECK, 3)


def test_a_misconception_is_asked_about_before_a_contradicted_point() -> None:
    run = start()
    run.answer(heard("p1"))
    both = replace(contradicting("p2"), misconceptions=heard(beliefs=("wrong",)).misconceptions)
    assert must(run.answer(both)).words == "clipping exposes?"
    run.answer(heard("p2"))
    assert run.session.drill.corrected == ("wrong",)
    assert run.session.drill.contradictions == ()


def test_a_model_that_judges_asks_as_well_and_needs_no_check() -> None:
    run = start(examiner="llm:x")
    run.answer(replace(heard("p1"), judge="llm:x"))
    assert must(run.answer(replace(contradicting("p2"), judge="llm:x"))).kind is MoveKind.CHALLENGE
    move = must(run.answer(replace(heard("p2"), judge="llm:x")))
    assert (move.kind, move.rung) == (MoveKind.DEEPER, 3)


def test_a_point_that_does_not_say_what_is_open_is_asked_about_all_the_same() -> None:
    base = question()
    run = start(asked=replace(base, points=tuple(replace(point, still_open="") for point in base.points)))
    run.answer(heard("p1"))
    assert must(run.answer(contradicting("p2"))).words == phrases.WHAT_DO_YOU_MEAN


def test_what_was_asked_about_is_not_asked_for_again_as_still_open() -> None:
    base = question()
    two = replace(base, rungs=(base.rungs[0], replace(base.rungs[1], points=("p2", "p3")), *base.rungs[2:]))
    run = start(examiner="llm:x", asked=two)
    run.answer(replace(contradicting("p3", shown=("p2",)), judge="llm:x"))
    run.answer(replace(heard(), judge="llm:x"))
    assert sum("what point 3 is about" in move.text for move in run.moves) == 1


def test_a_log_with_such_a_question_replays_to_the_same_state() -> None:
    run = start()
    run.answer(heard("p1"))
    run.answer(contradicting("p2"))
    run.answer(heard("p2"))
    assert fold(load_event(dump_event(event)) for event in run.events) == run.session
