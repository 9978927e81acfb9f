"""Each answer, submission and command moves the session as the policy's table says."""

from __future__ import annotations

import pytest

from graders.verdict import Verdict
from interviewer.session import events
from interviewer.session.assessment import State
from interviewer.session.effects import AskSelfMarks, Assess, Grade
from interviewer.session.engine import OutOfTurn, fold, step
from interviewer.session.move import MoveKind
from interviewer.session.state import Awaiting
from tests.session.build import Run, heard, report, started, ungraded

ONE = ("question", "clipping")
TWO = ("question", "gae")
CODE = ("task", "ppo_clip_loss")


def test_opening_asks_the_prompt_and_waits_for_an_answer() -> None:
    run = Run(started(ONE))
    assert run.said[0].kind is MoveKind.NEXT
    assert run.session.transcript[0].text == "Why does clipping work?"
    assert run.session.awaiting is Awaiting.ANSWER


def test_a_good_opening_skips_the_rungs_it_answered() -> None:
    run = Run(started(ONE))
    move = run.answer(heard("p1", "p2"))
    assert move is not None
    assert (move.kind, move.rung, move.words) == (MoveKind.DEEPER, 3, "clipping rung 3?")
    assert move.lead == "You said: “quote of p2”"


def test_passing_each_rung_goes_deeper_and_the_top_ends_the_question() -> None:
    run = Run(started(ONE))
    run.answer(heard())
    for number in (1, 2, 3):
        move = run.answer(heard(f"p{number}"))
        assert move is not None
        assert (move.kind, move.rung) == (MoveKind.DEEPER, number + 1)
    assert run.answer(heard("p4")) is None
    assert run.session.awaiting is Awaiting.SELF_MARKS
    assert run.session.drill.broke_at is None


def test_an_opening_that_earned_something_starts_the_ladder_at_rung_two() -> None:
    run = Run(started(ONE))
    move = run.answer(heard("p4"))
    assert move is not None
    assert (move.kind, move.rung) == (MoveKind.DEEPER, 2)


def test_a_first_fail_earns_a_probe_and_two_rungs_in_a_row_leave_the_topic() -> None:
    run = Run(started(ONE))
    run.answer(heard())
    probe = run.answer(heard())
    assert probe is not None
    assert (probe.kind, probe.words, probe.weight) == (MoveKind.PROBE, "clipping probe 1?", 0.5)
    onward = run.answer(heard())
    assert onward is not None
    assert (onward.kind, onward.rung) == (MoveKind.DEEPER, 2)
    again = run.answer(heard())
    assert again is not None
    assert again.kind is MoveKind.PROBE
    assert run.answer(heard()) is None
    assert run.session.drill.broke_at == 1
    assert run.session.drill.failed == (1, 2)


def test_a_rung_held_between_two_that_were_not_keeps_the_topic_open() -> None:
    run = Run(started(ONE))
    run.answer(heard())
    for shown in ([], [], ["p2"], [], []):
        move = run.answer(heard(*shown))
    assert move is not None
    assert (move.kind, move.rung) == (MoveKind.DEEPER, 4)
    assert run.session.drill.failed == (1, 3)
    for _ in range(2):
        move = run.answer(heard())
    assert move is None
    assert run.session.drill.broke_at == 3


def test_a_probe_answered_goes_deeper() -> None:
    run = Run(started(ONE))
    run.answer(heard())
    run.answer(heard())
    move = run.answer(heard("p1"))
    assert move is not None
    assert (move.kind, move.rung) == (MoveKind.DEEPER, 2)


def test_a_fail_without_a_probe_on_file_earns_a_hint() -> None:
    run = Run(started(ONE))
    run.answer(heard("p1", "p2"))
    move = run.answer(heard())
    assert move is not None
    assert (move.kind, move.words, move.rung) == (MoveKind.HINT, "hint 3a", 3)


def test_a_misconception_is_challenged_once_quoting_the_candidate() -> None:
    run = Run(started(ONE))
    move = run.answer(heard("p1", beliefs=("wrong",)))
    assert move is not None
    assert (move.kind, move.words) == (MoveKind.CHALLENGE, "clipping exposes?")
    assert "it is bounded" in move.lead
    after = run.answer(heard("p2", beliefs=("wrong",)))
    assert after is not None
    assert (after.kind, after.rung) == (MoveKind.DEEPER, 3)


def test_not_knowing_gets_the_hints_in_order_and_then_moves_on() -> None:
    run = Run(started(ONE))
    run.answer(heard())
    said = [run.answer(heard(flags=("does_not_know",))) for _ in range(6)]
    words = [move.words if move else None for move in said]
    assert words == ["hint 1a", "hint 1b", "clipping rung 2?", "hint 2a", "hint 2b", None]
    assert run.session.drill.broke_at == 1


def test_an_ungraded_answer_is_asked_again_once_and_never_counts_against_the_candidate() -> None:
    run = Run(started(ONE))
    again = run.answer(ungraded(), text="")
    assert again is not None
    assert again.kind is MoveKind.CLARIFY
    assert "ungraded" in again.lead
    assert again.words == "Why does clipping work?"
    onward = run.answer(ungraded(), text="")
    assert onward is not None
    assert (onward.kind, onward.rung) == (MoveKind.DEEPER, 1)
    assert all(answer.has_passed is None for answer in run.session.drill.answers)


def test_asking_back_is_no_fail() -> None:
    run = Run(started(ONE))
    run.answer(heard())
    move = run.answer(heard(flags=("asks_back",)))
    assert move is not None
    assert (move.kind, move.words) == (MoveKind.CLARIFY, "clipping rung 1?")
    assert run.session.drill.answers[-1].has_passed is None


def test_a_later_contradiction_takes_the_credit_back() -> None:
    run = Run(started(ONE))
    run.answer(heard("p1"))
    contradicted = heard()
    states = tuple(
        type(point)("p1", State.CONTRADICTED, "no it does not") if point.id == "p1" else point
        for point in contradicted.points
    )
    run.answer(type(contradicted)("offline", True, states))
    credit = run.session.drill.credit_of("p1")
    assert credit is not None
    assert credit.state is State.CONTRADICTED


def test_self_marks_are_kept_apart_and_open_the_next_part() -> None:
    run = Run(started(ONE, TWO))
    run.answer(heard())
    run.tell(events.SkipAsked(run.now))
    assert run.waits_for(AskSelfMarks)
    run.tell(events.SelfMarked(run.now, (events.SelfMark("p1", State.SHOWN),)))
    first = run.session.drills[0]
    assert first.self_marks == (events.SelfMark("p1", State.SHOWN),)
    assert first.credit_of("p1") is None
    assert run.said[-1].words == "Why does gae work?"


def test_a_model_examiner_asks_for_no_self_marks() -> None:
    run = Run(started(ONE, TWO, examiner="llm:x"))
    run.answer(heard())
    run.tell(events.SkipAsked(run.now))
    assert run.said[-1].words == "Why does gae work?"


def test_a_wrong_submission_earns_the_mistakes_question_and_a_right_one_goes_on() -> None:
    run = Run(started(CODE, TWO))
    assert run.session.awaiting is Awaiting.SUBMISSION
    move = run.submit(report(Verdict.WRONG_VALUE, "max_for_min"))
    assert (move.kind, move.words) == (MoveKind.VERDICT, "What if the advantage is negative?")
    assert "1 of 2 cases fail" in move.lead
    assert "expected 0.1, got -0.1" in move.lead
    run.tell(events.CandidateSaid(run.now, "then the sign flips"))
    assert run.session.awaiting is Awaiting.SUBMISSION
    onward = run.submit(report())
    assert onward.lead == "Passed: all 2 cases."
    assert onward.words == "Why does gae work?"
    assert run.session.work.has_passed


def test_our_failure_to_grade_is_no_verdict_and_the_submission_is_kept() -> None:
    run = Run(started(CODE))
    run.tell(events.Submitted(run.now, "code"))
    run.tell(events.GradingFailed(run.now, "engine", "no engine answers.", "Start Docker."))
    assert run.session.awaiting is Awaiting.SUBMISSION
    assert run.session.work.attempts[0].report is None
    assert run.session.work.attempts[0].source == "code"
    assert "not your code" in run.said[-1].lead


def test_hints_of_a_task_come_in_order_and_run_out_politely() -> None:
    run = Run(started(CODE))
    words = []
    for _ in range(3):
        run.tell(events.HintAsked(run.now))
        words.append(run.said[-1].words)
    assert words[:2] == ["look", "closer"]
    assert "no more hints" in words[2]
    assert run.session.work.hints == 2


def test_running_out_of_time_leaves_the_part_and_then_the_session() -> None:
    run = Run(started(ONE, TWO, examiner="llm:x", minutes=10))
    run.answer(heard(), seconds=400)
    assert run.session.drills[0].left_why == "time"
    run.answer(heard(), seconds=400)
    assert run.session.is_over
    assert run.said[-1].kind is MoveKind.FINISH


def test_a_pause_between_stop_and_resume_does_not_count() -> None:
    run = Run(started(ONE))
    run.tell(events.Resumed(run.now + 86400))
    assert run.session.elapsed_seconds < 60


def test_a_clock_that_goes_back_does_not_give_time() -> None:
    run = Run(started(ONE))
    before = run.session.elapsed_seconds
    run.tell(events.CandidateSaid(run.now - 500, "early"))
    assert run.session.elapsed_seconds == before


def test_end_closes_everything_from_any_state() -> None:
    for parts in ((ONE,), (CODE,)):
        run = Run(started(*parts))
        run.tell(events.EndAsked(run.now))
        assert run.session.is_over
        with pytest.raises(OutOfTurn):
            step(run.session, events.EndAsked(run.now))


@pytest.mark.parametrize(
    "event",
    [
        events.Assessed(1.0, heard()),
        events.Submitted(1.0, "x"),
        events.Graded(1.0, report()),
        events.SelfMarked(1.0, ()),
    ],
)
def test_an_event_out_of_turn_is_refused(event: events.Event) -> None:
    run = Run(started(ONE))
    with pytest.raises(OutOfTurn):
        step(run.session, event)


def test_pending_effects_survive_a_fold() -> None:
    run = Run(started(ONE))
    run.events.append(events.CandidateSaid(run.now, "half way"))
    _, pending = step(fold(run.events), events.Resumed(run.now + 5))
    assert pending == (Assess("clipping", "Why does clipping work?", "half way"),)
    coded = Run(started(CODE))
    coded.events.append(events.Submitted(coded.now, "src"))
    _, pending = step(fold(coded.events), events.Resumed(coded.now + 5))
    assert pending == (Grade("ppo_clip_loss", "src"),)
