"""How checks drive an offline interview: when they are asked, what an answer decides, and what depends on phrases."""

from __future__ import annotations

from dataclasses import replace

import pytest

from interviewer.bank.arithmetic import evaluate
from interviewer.examiner.check_answers import assess_check, spelled, wrong_answers
from interviewer.session import phrases
from interviewer.session.assessment import Assessment, CheckResult
from interviewer.session.debrief import debrief
from interviewer.session.engine import AskSelfMarks, Assess
from interviewer.session.events import CandidateSaid, HintAsked, SessionStarted, SkipAsked
from interviewer.session.move import Move, MoveKind
from interviewer.session.question import Check, DrawnCheck, Given, Question, WrongClaim
from interviewer.session.scoring import session_depth
from interviewer.session.state import Awaiting
from tests.session.build import RUNGS, Run, heard, must, question, started

ONE = ("question", "clipping")


def checked_question() -> Question:
    """Return a question in which each rung has a check with a number; the check of rung 2 also has options."""
    doubled = Check(1, "Double {n}?", (Given("n", (3.0, 5.0, 7.0)),), number="2 * n", wrong=("n / 2", "n"))
    claims = replace(
        doubled, rung=2, holds="It is even.", fails=(WrongClaim("It is odd.", "wrong"), WrongClaim("It is zero."))
    )
    return replace(question(), checks=(doubled, claims, replace(doubled, rung=3), replace(doubled, rung=4)))


def start(*, examiner: str = "offline") -> Run:
    opened: SessionStarted = started(ONE, examiner=examiner)
    return Run(replace(opened, questions=(checked_question(),)))


def answer_check(run: Run, answer: str, said: Assessment | None = None) -> Move | None:
    """Answer the check that was asked, as the runner does; return the next move."""
    drawn = run.session.asked_check
    assert drawn is not None
    judged = assess_check(said or heard(), drawn, answer, first_half=run.session.first_half)
    return run.answer(judged, text=answer)


def right(run: Run) -> str:
    drawn = run.session.asked_check
    assert drawn is not None
    return spelled(drawn)[0]


def wrong(run: Run) -> str:
    drawn = run.session.asked_check
    assert drawn is not None
    return wrong_answers(drawn)[0]


def test_a_question_about_a_check_is_answered_and_the_check_stays_a_check() -> None:
    run = start()
    run.answer(heard())
    check = run.answer(heard(), text="Something that no phrasing hears.")
    assert check is not None
    move = answer_check(run, "Do you mean the sum?", heard(flags=("asks_back",)))
    assert move is not None
    assert (move.kind, move.lead, move.words) == (MoveKind.CHECK, phrases.YOUR_READING, check.words)
    # The clarifying question does not count as a first unreadable answer, so this answer is not the second.
    answer_check(run, "it depends")
    assert run.session.drill.answers[-1].has_passed is None
    answer_check(run, right(run))
    assert run.session.drill.answers[-1].has_passed


def test_questions_about_a_check_are_limited_even_if_each_asks_to_repeat_it() -> None:
    run = start()
    run.answer(heard())
    run.answer(heard(), text="Something else.")
    assert run.session.asked_check is not None
    count = 0
    while not run.waits_for(AskSelfMarks) and count < 40:
        run.answer(heard(flags=("asks_back",)), text="Could you repeat the question?")
        count += 1
    assert count < 15
    assert run.session.drill.left_why == "enough heard"


def test_a_check_is_repeated_in_full_after_only_its_result_was_asked_for() -> None:
    run = start()
    run.answer(heard())
    check = must(run.answer(heard(), text="Something that no phrasing hears."))
    assert must(answer_check(run, "it depends")).words == phrases.ONE_RESULT
    move = must(answer_check(run, "Could you repeat the question?", heard(flags=("asks_back",))))
    assert (move.lead, move.words, move.target) == (phrases.SAID_AGAIN, check.words, check.target)


def test_what_is_not_heard_is_checked_at_once_and_the_right_answer_holds_the_rung() -> None:
    run = start()
    run.answer(heard())
    move = run.answer(heard(), text="Something that no phrasing hears.")
    assert move is not None
    assert (move.kind, move.rung, move.lead) == (MoveKind.CHECK, 1, "")
    # An answer that matching missed is not a failure.
    assert run.session.drill.answers[-1].has_passed is None
    after = answer_check(run, right(run))
    assert after is not None
    assert (after.kind, after.rung) == (MoveKind.DEEPER, 2)


def test_the_effect_carries_the_check_that_was_asked_with_its_inputs() -> None:
    run = start()
    run.answer(heard())
    run.answer(heard())
    drawn = run.session.asked_check
    assert drawn is not None
    assert run.moves[-1].words == drawn.text
    run._apply(CandidateSaid(run.now + 1, "14"))
    assert isinstance(run.pending, Assess)
    assert run.pending.check == drawn


def test_a_wrong_answer_gets_a_hint_and_other_inputs_at_half_weight_and_a_second_one_fails_the_rung() -> None:
    run = start()
    run.answer(heard("p1"))
    move = run.answer(heard())
    assert move is not None
    assert (move.kind, move.rung) == (MoveKind.CHECK, 2)
    again = answer_check(run, wrong(run))
    assert again is not None
    if again.kind is MoveKind.CHALLENGE:
        again = run.answer(heard())
    assert again is not None
    assert (again.kind, again.rung, again.weight) == (MoveKind.CHECK, 2, 0.5)
    assert again.lead == phrases.small_help("hint 2a")
    assert again.target == "1.1"
    after = answer_check(run, wrong(run))
    if after is not None and after.kind is MoveKind.CHALLENGE:
        after = run.answer(heard())
    assert run.session.drill.failed == (2,)
    assert after is None or after.rung != 2


def test_a_wrong_claim_is_the_misconception_of_who_picks_it_and_is_challenged() -> None:
    run = start()
    run.answer(heard("p1"))
    run.answer(heard())
    drawn = run.session.asked_check
    assert drawn is not None
    letter = next(letter for letter in "ABC" if drawn.belief_of(letter) == "wrong")
    move = answer_check(run, f"{letter}, {spelled(drawn)[0].split()[-1]}")
    assert move is not None
    assert (move.kind, move.words) == (MoveKind.CHALLENGE, "clipping exposes?")
    assert "It is odd." in move.lead


@pytest.mark.parametrize(
    ("answer", "says"),
    [("well, it depends", phrases.ONE_CHOICE), ("A", phrases.BOTH_HALVES), ("A or B", phrases.ONE_CHOICE)],
)
def test_an_answer_without_one_result_is_asked_for_once_and_then_counts_as_none(answer: str, says: str) -> None:
    run = start()
    run.answer(heard("p1"))
    run.answer(heard())
    drawn = run.session.asked_check
    assert drawn is not None
    answer = answer.replace("A", drawn.answer) if answer == "A" else answer
    move = answer_check(run, answer)
    assert move is not None
    assert (move.kind, move.words, move.lead) == (MoveKind.CHECK, says, "")
    assert run.session.drill.answers[-1].has_passed is None
    answer_check(run, "no result here")
    assert run.session.drill.answers[-1].has_passed is False


def test_after_a_failed_check_the_next_one_is_asked_for_a_result_as_well() -> None:
    run = start()
    run.answer(heard())
    run.answer(heard())
    again = answer_check(run, wrong(run))
    assert again is not None
    assert again.kind is MoveKind.CHECK
    move = answer_check(run, "no result here")
    assert move is not None
    assert move.words == phrases.ONE_RESULT
    assert run.session.drill.answers[-1].has_passed is None


def test_phrases_alone_lift_the_depth_by_one_rung_above_the_last_checked() -> None:
    """Rung 1 may be passed on phrases alone; before rung 3 is asked, rung 2 is checked."""
    run = start()
    run.answer(heard("p1"))
    move = run.answer(heard("p2"))
    assert move is not None
    assert (move.kind, move.rung, move.lead) == (MoveKind.CHECK, 2, "You said: “quote of p2”")
    depth = session_depth(run.session, run.session.drill)
    assert depth is not None
    assert f"{depth.mean:.0f}" <= "1"
    after = answer_check(run, right(run))
    assert after is not None
    assert (after.kind, after.rung) == (MoveKind.DEEPER, 3)


def test_who_says_everything_at_once_is_checked_at_every_second_rung() -> None:
    run = start()
    everything = heard(*(f"p{number}" for number in range(1, RUNGS + 1)))
    run.answer(everything)
    rungs = []
    move = run.answer(everything)  # to the doubt
    while move is not None:
        assert move.kind is MoveKind.CHECK
        rungs.append(move.rung)
        move = answer_check(run, right(run))
    assert rungs == [2, 4]
    depth = session_depth(run.session, run.session.drill)
    assert depth is not None
    assert f"{depth.mean:.0f}" == str(RUNGS)
    assert run.session.drill.broke_at is None


def test_a_failed_rung_caps_the_depth_whatever_was_heard_above_it() -> None:
    run = start()
    run.answer(heard("p3", "p4"))
    move = run.answer(heard())
    while move is not None and move.kind is MoveKind.CHECK:
        move = answer_check(run, "nothing")
    drill = run.session.drills[0]
    assert drill.failed
    depth = session_depth(run.session, drill)
    assert depth is not None
    assert depth.high < min(drill.failed)


def test_after_a_hint_the_check_is_still_what_is_answered() -> None:
    run = start()
    run.answer(heard())
    run.answer(heard())
    asked = run.session.asked_check
    assert must(answer_check(run, "it depends")).words == phrases.ONE_RESULT
    for lead in (phrases.small_help("hint 1a"), phrases.small_help("hint 1b"), phrases.OUT_OF_HINTS):
        run.apply(HintAsked(run.now + 1))
        assert asked is not None
        assert (run.moves[-1].kind, run.moves[-1].lead, run.moves[-1].words) == (MoveKind.CHECK, lead, asked.text)
        assert run.session.asked_check == asked
    after = answer_check(run, right(run))
    assert after is not None
    assert (after.kind, after.rung) == (MoveKind.DEEPER, 2)


def at_claims() -> tuple[Run, DrawnCheck]:
    """Return a run at the check with claims, and that check."""
    run = start()
    run.answer(heard())
    run.answer(heard())
    answer_check(run, right(run))
    run.answer(heard())
    drawn = run.session.asked_check
    assert drawn is not None
    assert drawn.check.holds
    return run, drawn


@pytest.mark.parametrize("is_letter_first", [True, False])
def test_the_two_halves_of_a_result_may_come_one_after_the_other(is_letter_first: bool) -> None:
    run, drawn = at_claims()
    halves = [drawn.answer, f"{evaluate(drawn.check.number, drawn.values):g}"]
    first, second = halves if is_letter_first else halves[::-1]
    assert must(answer_check(run, first)).words == phrases.BOTH_HALVES
    assert "reason" not in phrases.BOTH_HALVES, "the other half is a number or a name"
    must(answer_check(run, "Which letter do you mean?", heard(flags=("asks_back",))))
    answer_check(run, second)
    assert run.session.drill.answers[-1].assessment.check is CheckResult.RIGHT
    assert "Rung 2: checked, and your answer was right." in debrief(run.session)


def test_a_wrong_second_half_is_wrong() -> None:
    run, drawn = at_claims()
    answer_check(run, drawn.answer)
    answer_check(run, "1000")
    assert run.session.drill.answers[-1].assessment.check is CheckResult.WRONG


@pytest.mark.parametrize(
    ("answer", "flags", "told"),
    [
        ("it depends", (), "but your answer did not give one clear and complete result"),
        ("I don't know", ("does_not_know",), "and you did not know the answer"),
        ("1000", (), "and your answer was wrong"),
    ],
)
def test_only_a_wrong_result_is_called_wrong(answer: str, flags: tuple[str, ...], told: str) -> None:
    run = start()
    run.answer(heard())
    run.answer(heard())
    while run.session.awaiting is Awaiting.ANSWER and must(run.session.answered).kind is MoveKind.CHECK:
        answer_check(run, answer, heard(flags=flags))
    assert f"- Rung 1: checked, {told}." in debrief(run.session)


def test_with_a_model_no_check_is_asked() -> None:
    run = start(examiner="llm:x")
    judged = replace(heard(), judge="llm:x")
    run.answer(judged)
    while not run.waits_for(AskSelfMarks) and not run.session.is_over:
        run.answer(judged)
    assert MoveKind.CHECK not in {move.kind for move in run.moves}


def test_what_is_left_of_a_rung_is_asked_for_by_name() -> None:
    base = question()
    points = tuple(replace(point, still_open=f"what {point.id} is about") for point in base.points)
    two = replace(
        base, points=points, rungs=(*base.rungs[:1], replace(base.rungs[1], points=("p2", "p3")), *base.rungs[2:])
    )
    run = Run(replace(started(ONE), questions=(two,)))
    move = run.answer(heard("p2"))
    assert move is not None
    assert (move.kind, move.words) == (MoveKind.DEEPER, phrases.still_open(["what p3 is about"]))


def test_the_debrief_tells_what_was_checked_from_what_was_only_heard() -> None:
    run = start()
    run.answer(heard("p1"))
    run.answer(heard("p2"))
    answer_check(run, right(run))
    run.answer(heard("p3"))
    text = debrief(run.session)
    assert "Rung 2: checked, and your answer was right." in text
    assert "Rung 1: heard, not checked." in text
    assert run.session.drill.answers[2].assessment.check is CheckResult.RIGHT


def test_a_second_draw_has_other_inputs() -> None:
    asked = checked_question()
    for seed in range(40):
        assert asked.drawn_check("0.0", seed).values != asked.drawn_check("0.1", seed).values


@pytest.mark.parametrize("examiner", ["offline", "llm:x"])
def test_what_the_offline_examiner_heard_without_any_check_is_called_not_checked(examiner: str) -> None:
    run = start(examiner=examiner)
    run.answer(replace(heard("p1"), judge=examiner))
    run.apply(SkipAsked(run.now))
    assert ("Rung 1: heard, not checked." in debrief(run.session)) is (examiner == "offline")
