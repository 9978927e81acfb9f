"""Each answer, submission and command changes the session as the policy's table says."""

from __future__ import annotations

from dataclasses import replace

import pytest

from graders.verdict import Verdict
from interviewer.examiner.checking_examiner import CheckedExaminer
from interviewer.examiner.offline import OfflineExaminer
from interviewer.log.history import attempts_of
from interviewer.session import events, phrases, policy
from interviewer.session.assessment import Assessment, PointState, State
from interviewer.session.debrief import debrief
from interviewer.session.engine import (
    AskSelfMarks,
    Assess,
    Grade,
    InvalidTransition,
    fold,
    pending_effect,
    step,
    with_decision,
)
from interviewer.session.events import dump_event, load_event
from interviewer.session.move import MoveKind
from interviewer.session.policy import JUDGED_MAX
from interviewer.session.question import Clarification
from interviewer.session.scoring import LONG_WORDS
from interviewer.session.state import Awaiting, Decision, SelfMark
from tests.session.build import NO_DOUBTS, Run, brief, heard, must, question, report, started, undecided, ungraded

ONE = ("question", "clipping")
TWO = ("question", "gae")
CODE = ("task", "ppo_clip_loss")


def test_opening_asks_the_prompt_and_waits_for_an_answer() -> None:
    run = Run(started(ONE))
    assert run.moves[0].kind is MoveKind.NEXT
    assert run.session.transcript[0].text == "Why does clipping work?"
    assert run.session.awaiting is Awaiting.ANSWER


def test_a_good_opening_skips_the_rungs_it_answered() -> None:
    run = Run(started(ONE))
    move = run.answer(heard("p1", "p2"))
    assert move is not None
    assert (move.kind, move.rung, move.words) == (MoveKind.DEEPER, 3, "clipping rung 3?")
    # The next rung is about a different subject, so nothing is quoted.
    assert move.lead == ""


def test_passing_each_rung_goes_deeper_and_the_top_ends_the_question() -> None:
    run = Run(started(ONE, seed=NO_DOUBTS))
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


def test_a_first_fail_earns_a_probe_and_the_lowest_rung_failed_twice_leaves_the_topic() -> None:
    run = Run(started(ONE))
    run.answer(heard())
    probe = run.answer(heard())
    assert probe is not None
    assert (probe.kind, probe.words, probe.weight) == (MoveKind.PROBE, "clipping probe 1?", 0.5)
    assert run.answer(heard()) is None
    assert run.session.drill.failed == (1,)
    assert run.session.drill.broke_at == 1


def test_a_rung_failed_twice_goes_one_step_down() -> None:
    run = Run(started(ONE))
    run.answer(heard("p4"))
    run.answer(heard())
    move = run.answer(heard())
    assert move is not None
    assert (move.kind, move.rung, move.lead) == (MoveKind.DEEPER, 1, phrases.STEP_BACK)
    assert run.session.drill.failed == (2,)


def test_a_rung_failed_above_one_that_holds_is_passed_over_once() -> None:
    run = Run(started(ONE, seed=NO_DOUBTS))
    for shown in ([], ["p1"], ["p2"], [], []):
        move = run.answer(heard(*shown))
    assert move is not None
    assert (move.kind, move.rung) == (MoveKind.DEEPER, 4)
    assert run.session.drill.failed == (3,)
    for _ in range(3):
        move = run.answer(heard()) if run.session.awaiting is Awaiting.ANSWER else None
    assert move is None
    assert run.session.drill.broke_at == 3


def test_a_probe_answered_goes_deeper() -> None:
    run = Run(started(ONE))
    run.answer(heard())
    run.answer(heard())
    move = run.answer(heard("p1"))
    assert move is not None
    assert (move.kind, move.rung) == (MoveKind.DEEPER, 2)


def test_a_fail_without_a_probe_on_file_asks_for_what_is_known_and_then_gives_the_hints() -> None:
    run = Run(started(ONE, seed=NO_DOUBTS))
    run.answer(heard("p1", "p2"))
    pump = run.answer(heard())
    assert pump is not None
    assert (pump.kind, pump.words, pump.rung, pump.weight) == (MoveKind.HINT, phrases.SAY_WHAT_YOU_KNOW, 3, 1.0)


def test_what_is_true_but_of_another_part_is_quoted_and_the_question_stays() -> None:
    run = Run(started(ONE, seed=NO_DOUBTS))
    run.answer(heard("p1", "p2"))
    move = run.answer(heard("p4"))
    assert move is not None
    assert (move.kind, move.words, move.rung, move.weight) == (MoveKind.HINT, phrases.ANOTHER_PART, 3, 1.0)
    assert move.lead == "You said: “quote of p4”"


def test_whoever_said_one_part_of_what_was_asked_is_asked_for_the_rest_of_it() -> None:
    two_points = replace(question(), rungs=(*question().rungs[:2], replace(question().rungs[2], points=("p3", "p4"))))
    run = Run(replace(started(ONE, seed=NO_DOUBTS), questions=(two_points,)))
    run.answer(heard("p1", "p2"))
    move = run.answer(heard("p4"))
    assert move is not None
    assert (move.words, move.lead) == (phrases.REST_OF_IT, "You said: “quote of p4”")


def test_a_rung_that_a_probe_stood_for_is_asked_itself_before_any_help() -> None:
    run = Run(started(ONE, seed=NO_DOUBTS))
    probe = run.answer(heard(partial=("p2",)))
    assert probe is not None
    assert (probe.kind, probe.words, probe.weight) == (MoveKind.PROBE, "clipping probe 2?", 1.0)
    itself = run.answer(heard("p4"))
    assert itself is not None
    assert (itself.kind, itself.words, itself.weight) == (MoveKind.PROBE, "clipping rung 2?", 0.5)
    after = run.answer(heard())
    assert after is not None
    assert after.words != itself.words


def test_a_misconception_is_challenged_once_quoting_the_candidate() -> None:
    run = Run(started(ONE))
    move = run.answer(heard("p1", beliefs=("wrong",)))
    assert move is not None
    assert (move.kind, move.words) == (MoveKind.CHALLENGE, "clipping exposes?")
    assert "it is bounded" in move.lead
    after = run.answer(heard("p2", beliefs=("wrong",)))
    assert after is not None
    assert (after.kind, after.rung) == (MoveKind.DEEPER, 3)


def test_not_knowing_gets_one_encouragement_and_said_twice_it_is_a_failed_rung() -> None:
    run = Run(started(ONE))
    run.answer(heard())
    moves = [run.answer(heard(flags=("does_not_know",))) for _ in range(2)]
    assert [(move.words, move.weight) if move else None for move in moves] == [(phrases.SAY_WHAT_YOU_KNOW, 1.0), None]
    assert run.session.drill.broke_at == 1


def test_giving_up_fails_the_rung_at_once_and_at_the_opening_makes_it_smaller() -> None:
    run = Run(started(ONE))
    move = run.answer(heard(flags=("gives_up",)))
    assert move is not None
    assert (move.kind, move.words, move.lead) == (MoveKind.DEEPER, "clipping rung 1?", phrases.START_HERE)
    assert run.answer(heard(flags=("gives_up",))) is None
    assert run.session.drill.broke_at == 1


def test_a_hint_before_the_ladder_is_its_first_question_and_costs_nothing() -> None:
    run = Run(started(ONE))
    run.apply(events.HintAsked(run.now + 1))
    assert (run.moves[-1].words, run.moves[-1].rung, run.moves[-1].weight) == ("clipping rung 1?", 1, 1.0)
    assert run.session.drill.hints == ()


def test_two_hints_cost_no_credit() -> None:
    run = Run(started(ONE))
    run.answer(heard())
    prices = []
    for _ in range(2):
        run.apply(events.HintAsked(run.now + 1))
        prices.append((run.moves[-1].words, run.moves[-1].weight))
    assert prices == [("hint 1a", 1.0), ("hint 1b", 1.0)]


def test_votes_that_disagree_are_asked_about_once_and_are_no_fail() -> None:
    run = Run(started(ONE, examiner="llm:x"))
    run.answer(heard())
    move = run.answer(undecided("p1"), text="it is kept, sort of")
    assert move is not None
    assert (move.kind, move.words) == (MoveKind.CLARIFY, phrases.WHAT_DO_YOU_MEAN)
    assert "it is kept, sort of" in move.lead
    assert run.session.drill.answers[-1].has_passed is None


def test_a_long_answer_that_nothing_was_heard_in_is_asked_for_a_case_and_is_no_fail() -> None:
    run = Run(started(ONE))
    run.answer(heard())
    move = run.answer(heard(), text="so " * LONG_WORDS)
    assert move is not None
    assert (move.kind, move.words) == (MoveKind.CLARIFY, phrases.CONCRETE_CASE)
    assert run.session.drill.answers[-1].has_passed is None
    again = run.answer(heard(), text="so " * LONG_WORDS)
    assert again is not None
    assert again.kind is MoveKind.PROBE


def test_with_a_model_a_long_answer_without_a_point_is_a_fail() -> None:
    run = Run(started(ONE, examiner="llm:x"))
    run.answer(heard())
    judged = replace(heard(), judge="llm:x")
    move = run.answer(judged, text="so " * LONG_WORDS)
    assert move is not None
    assert move.kind is MoveKind.PROBE
    assert run.session.drill.answers[-1].has_passed is False


def test_a_recital_is_interrupted_by_the_rung_that_asks_for_a_number() -> None:
    run = Run(started(ONE, seed=NO_DOUBTS, numbers_at=3))
    run.answer(heard())
    move = run.answer(heard("p1", flags=("recited",)))
    assert move is not None
    assert (move.kind, move.rung, move.lead) == (MoveKind.DEEPER, 3, phrases.WITH_NUMBERS)
    assert run.session.drill.recited == (1,)


def test_a_right_answer_is_doubted_about_once_in_five_and_standing_by_it_costs_nothing() -> None:
    doubted = 0
    for seed in range(100):
        run = Run(started(ONE, seed=seed))
        run.answer(heard())
        move = run.answer(heard("p1"))
        assert move is not None
        if move.kind is MoveKind.DOUBT:
            doubted += 1
            assert "quote of p1" in move.lead
            after = run.answer(heard(flags=("stands",)), text="Yes, I do.")
            assert after is not None
            assert (after.kind, after.rung) == (MoveKind.DEEPER, 2)
            assert run.session.drill.doubts[0].stood is True
            unclear = Run(started(ONE, seed=seed))
            unclear.answer(heard())
            unclear.answer(heard("p1"))
            unclear.answer(heard(), text="Hm, that depends.")
            assert unclear.session.drill.doubts[0].stood is None
    assert 10 <= doubted <= 30


def test_a_question_about_a_doubt_is_answered_and_the_doubt_stays_open() -> None:
    seed = next(seed for seed in range(50) if is_doubted(seed))
    run = Run(started(ONE, seed=seed))
    run.answer(heard())
    doubt = must(run.answer(heard("p1")))
    again = must(run.answer(heard(flags=("asks_back",)), text="Which part does the colleague disagree with?"))
    assert (again.kind, again.words, again.lead) == (MoveKind.DOUBT, doubt.words, phrases.YOUR_READING)
    run.answer(heard(flags=("stands",)), text="Yes, I do.")
    assert run.session.drill.doubts[0].stood is True
    assert len(run.session.drill.doubts) == 1


def test_taking_a_point_back_gives_in_to_the_doubt() -> None:
    seed = next(seed for seed in range(50) if is_doubted(seed))
    run = Run(started(ONE, seed=seed))
    run.answer(heard())
    run.answer(heard("p1"))
    run.answer(replace(heard(), retracted=("p1",)), text="Then I take back the alpha.")
    assert run.session.drill.doubts[0].stood is False
    assert 1 in run.session.drill.failed


def test_giving_in_to_a_doubt_fails_the_rung_and_takes_no_credit_back() -> None:
    seed = next(seed for seed in range(50) if is_doubted(seed))
    run = Run(started(ONE, seed=seed))
    run.answer(heard())
    run.answer(heard("p1"))
    contradicted = replace(heard(), points=(PointState("p1", State.CONTRADICTED, "no, it does not"),))
    after = run.answer(contradicted, text="No, it does not, sorry.")
    assert after is None
    assert run.session.drill.broke_at == 1
    assert run.session.drill.doubts[0].stood is False
    credit = run.session.drill.credit_of("p1")
    assert credit is not None
    assert credit.state is State.SHOWN


@pytest.mark.parametrize(
    "reply",
    [heard("p1", contradicted=("p4",), flags=("stands",)), heard(flags=("does_not_know", "stands"))],
    ids=["another rung's point seems contradicted", "not sure why the colleague disagrees"],
)
def test_standing_by_an_answer_is_not_undone_by_other_words(reply: Assessment) -> None:
    run = Run(started(ONE, seed=next(seed for seed in range(50) if is_doubted(seed))))
    run.answer(heard())
    run.answer(heard("p1"))
    run.answer(reply, text="Yes, I stand by it.")
    assert run.session.drills[0].doubts[0].stood is True
    assert run.session.drills[0].failed == ()


def test_a_question_about_a_misconception_survives_a_clarifying_question() -> None:
    run = Run(started(ONE))
    run.answer(heard())
    run.answer(heard(beliefs=("wrong",)))
    again = must(run.answer(heard(flags=("asks_back",)), text="Do you mean per token?"))
    assert again.kind is MoveKind.CHALLENGE
    run.answer(heard("p1"))
    assert run.session.drill.corrected == ("wrong",)


@pytest.mark.parametrize("before", [0, 1])
def test_an_answer_that_was_being_judged_at_the_end_is_told(before: int) -> None:
    run = Run(started(ONE))
    for _ in range(before):
        run.answer(heard("p1"))
    run._apply(events.CandidateSaid(run.now + 5, "The clip bounds the step."))
    run.apply(events.EndAsked(run.now + 1))
    text = debrief(run.session)
    assert "not answered" not in text.lower()
    assert "“The clip bounds the step.” Not judged: the session ended before it was judged." in text


def is_doubted(seed: int) -> bool:
    run = Run(started(ONE, seed=seed))
    run.answer(heard())
    move = run.answer(heard("p1"))
    return move is not None and move.kind is MoveKind.DOUBT


def test_the_posterior_ends_a_question_whose_depth_is_known() -> None:
    run = Run(started(ONE, seed=NO_DOUBTS))
    run.answer(heard())
    for _ in range(6):
        if run.session.awaiting is Awaiting.ANSWER:
            run.answer(heard())
    assert run.session.awaiting is Awaiting.SELF_MARKS
    assert sum(answer.has_passed is not None for answer in run.session.drill.answers) <= JUDGED_MAX


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


@pytest.mark.expectation(number=32)
def test_asking_back_is_no_fail() -> None:
    run = Run(started(ONE))
    run.answer(heard())
    move = run.answer(heard(flags=("asks_back",)))
    assert move is not None
    assert (move.kind, move.words) == (MoveKind.EXPLAIN, "clipping rung 1?")
    assert move.lead == phrases.YOUR_READING
    assert run.session.drill.answers[-1].has_passed is None


def test_a_clarifying_question_gets_its_prepared_reply_and_a_third_one_gets_none() -> None:
    entries = (
        Clarification(("eps", "clip range"), "eps is 0.2."),
        Clarification(("eps per token",), "For each token."),
    )
    opened = started(ONE)
    run = Run(replace(opened, questions=tuple(replace(asked, clarify=entries) for asked in opened.questions)))
    run.answer(heard())
    for asks, lead in (("What is EPS here?", "eps is 0.2."), ("Is eps meant per token?", "For each token.")):
        move = run.answer(replace(heard(flags=("asks_back",)), asks=asks))
        assert move is not None
        assert (move.kind, move.lead, move.words) == (MoveKind.EXPLAIN, lead, "clipping rung 1?")
    onward = run.answer(replace(heard(flags=("asks_back",)), asks="And what is eps?"))
    assert onward is not None
    assert onward.kind is not MoveKind.EXPLAIN


def test_clarifying_questions_do_not_use_up_the_answers() -> None:
    """Otherwise, a candidate who keeps passing and asks about each rung would not reach the top of the ladder."""
    run = Run(started(ONE, examiner="llm:x"))
    asking = replace(heard(flags=("asks_back",)), asks="Do you mean the old policy?", judge="llm:x")
    for rung in range(5):
        for _ in range(2):
            assert must(run.answer(asking)).kind is MoveKind.EXPLAIN
        assert run.answer(replace(heard(*(f"p{rung}",) * (rung > 0)), judge="llm:x")) is not None
    drill = run.session.drill
    assert (len(drill.answers), len(drill.explained), drill.left_why) == (15, 10, "")
    assert [answer.has_passed for answer in drill.answers if answer.rung and "asks_back" not in answer.assessment.flags]
    assert run.moves[-1].kind is MoveKind.IMPROVISE


def test_a_log_of_an_earlier_version_keeps_the_end_that_it_has() -> None:
    """Earlier versions counted clarifying questions, so their logs may end earlier."""
    run = Run(started(ONE, examiner="llm:x"))
    asking = replace(heard(flags=("asks_back",)), asks="Do you mean the old policy?", judge="llm:x")
    run.answer(asking)
    before = run.session.drill
    over = Decision(replace(before, left_why="enough heard", answers=(), credits=(), beliefs=(), explained=()), None)
    line = dump_event(events.Assessed(run.now + 10, asking, over))
    assert '"explained": [], ' in line
    run._apply(events.CandidateSaid(run.now + 10, "an answer"))
    run.apply(load_event(line.replace('"explained": [], ', "")))
    assert run.session.drill.is_over
    assert run.session.drill.left_why == "enough heard"


def test_a_question_beside_an_answer_is_answered_and_the_answer_counts() -> None:
    entries = (Clarification(("eps",), "eps is 0.2."),)
    opened = started(ONE)
    run = Run(replace(opened, questions=tuple(replace(asked, clarify=entries) for asked in opened.questions)))
    onward = run.answer(replace(heard("p1", flags=("asks_back",)), asks="But what is eps?"))
    assert onward is not None
    assert onward.lead.startswith("eps is 0.2.")
    assert (onward.kind, onward.rung) == (MoveKind.DEEPER, 2)
    unsure = run.answer(replace(heard(flags=("asks_back", "does_not_know")), asks="And what is a ratio?"))
    assert unsure is not None
    assert (unsure.kind, unsure.lead) == (MoveKind.EXPLAIN, phrases.YOUR_READING)


def test_a_third_question_about_a_rung_is_passed_over_in_words() -> None:
    run = Run(started(ONE))
    run.answer(heard())
    for _ in range(2):
        run.answer(replace(heard(flags=("asks_back",)), asks="What is eps?"))
    onward = run.answer(replace(heard(flags=("asks_back",)), asks="What is eps?"))
    assert onward is not None
    assert (onward.kind, onward.lead) == (MoveKind.DEEPER, phrases.GO_ON)


def test_a_question_beside_any_answer_is_answered_whatever_follows() -> None:
    entries = (Clarification(("eps",), "eps is 0.2."),)
    opened = replace(started(ONE), examiner="llm:x")
    opened = replace(opened, questions=tuple(replace(asked, clarify=entries) for asked in opened.questions))
    asks = "But what is eps?"
    gives_up = Run(opened)
    gives_up.answer(heard("p1"))
    below = must(gives_up.answer(replace(heard(flags=("asks_back", "gives_up")), asks=asks)))
    assert below.lead.startswith("eps is 0.2.")
    doubted = Run(opened)
    doubt = must(doubted.answer(heard("p1", "p2", "p3", "p4")))
    assert doubt.kind is MoveKind.DOUBT
    onward = doubted.answer(replace(heard(flags=("asks_back", "gives_in")), asks=asks))
    assert onward is None or onward.lead.startswith("eps is 0.2.")
    limit = Run(opened)
    limit.answer(heard())
    for _ in range(2):
        limit.answer(replace(heard(flags=("asks_back",)), asks=asks))
    beyond = must(limit.answer(replace(heard("p1", flags=("asks_back",)), asks=asks)))
    assert beyond.lead.startswith(phrases.GO_ON)


def test_what_was_asked_is_repeated_on_request() -> None:
    run = Run(started(ONE))
    run.answer(heard())
    move = must(run.answer(heard(flags=("asks_back",)), text="Could you repeat the question?"))
    assert (move.lead, move.words) == (phrases.SAID_AGAIN, "clipping rung 1?")


def test_a_question_that_was_answered_is_no_first_try() -> None:
    run = Run(started(ONE))
    run.answer(heard())
    run.answer(replace(heard(flags=("asks_back", "does_not_know")), asks="What is eps?"))
    helped = must(run.answer(heard(flags=("does_not_know",))))
    assert (helped.kind, helped.rung) == (MoveKind.HINT, 1)
    assert run.session.drill.failed == ()


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("which dim is T", MoveKind.EXPLAIN),
        ("Sorry, is the mean over tokens or sequences", MoveKind.EXPLAIN),
        ("explain what mask means", MoveKind.EXPLAIN),
        ("Is it padded?", MoveKind.EXPLAIN),
        ("I take the mean over the tokens.", MoveKind.CLARIFY),
    ],
)
def test_a_question_about_a_task_needs_no_question_mark(text: str, kind: MoveKind) -> None:
    run = Run(started(CODE))
    run.apply(events.CandidateSaid(run.now, text))
    assert run.moves[-1].kind is kind


def test_the_answer_after_an_explanation_counts_for_its_rung() -> None:
    run = Run(started(ONE))
    run.answer(heard())
    run.answer(heard(flags=("asks_back",)))
    run.answer(heard("p1"))
    assert (run.session.drill.answers[-1].rung, run.session.drill.answers[-1].has_passed) == (1, True)


def test_a_later_contradiction_takes_the_credit_back() -> None:
    run = Run(started(ONE))
    run.answer(heard("p1"))
    contradicted = heard()
    states = tuple(
        type(point)("p1", State.CONTRADICTED, "no it does not") if point.id == "p1" else point
        for point in contradicted.points
    )
    run.answer(type(contradicted)("llm:x", True, states))
    credit = run.session.drill.credit_of("p1")
    assert credit is not None
    assert credit.state is State.CONTRADICTED


def test_an_answer_that_retracts_a_point_and_claims_the_opposite_contradicts_the_point() -> None:
    run = Run(started(ONE, examiner="llm:x"))
    run.answer(heard("p1", "p2"))
    contradicting = replace(heard(contradicted=("p1",)), judge="llm:x", retracted=("p1", "p2"))
    run.answer(contradicting, text="I take that back. It is the opposite.")
    assert [(credit.point, credit.state) for credit in run.session.drill.credits] == [("p1", State.CONTRADICTED)]


def test_self_marks_are_kept_apart_and_open_the_next_part() -> None:
    run = Run(started(ONE, TWO))
    run.answer(heard())
    run.apply(events.SkipAsked(run.now))
    assert run.waits_for(AskSelfMarks)
    run.apply(events.SelfMarked(run.now, (SelfMark("p1", State.SHOWN),)))
    first = run.session.drills[0]
    assert first.self_marks == (SelfMark("p1", State.SHOWN),)
    assert first.credit_of("p1") is None
    assert run.moves[-1].words == "Why does gae work?"


def test_a_model_examiner_asks_for_no_self_marks() -> None:
    run = Run(started(ONE, TWO, examiner="llm:x"))
    run.answer(heard())
    run.apply(events.SkipAsked(run.now))
    assert run.moves[-1].words == "Why does gae work?"


MISTAKE = "What your code does: Takes the maximum."


def assessed(state: State, judge: str = "offline") -> Assessment:
    return Assessment(judge, True, (PointState("max_for_min", state, "the sign flips"),))


def test_a_wrong_submission_asks_before_it_names_the_mistake_and_a_right_one_goes_on() -> None:
    run = Run(started(CODE, TWO))
    assert run.session.awaiting is Awaiting.SUBMISSION
    move = run.submit(report(Verdict.WRONG_VALUE, "max_for_min"))
    assert (move.kind, move.words) == (MoveKind.VERDICT, "What if the advantage is negative?")
    assert "1 of 2 cases passed" in move.lead
    assert "expected 0.1, got -0.1" in move.lead
    assert "maximum" not in move.lead
    run.apply(events.CandidateSaid(run.now, "then the sign flips"))
    assert run.pending == Assess("ppo_clip_loss", "What if the advantage is negative?", "then the sign flips")
    run.apply(events.Assessed(run.now, assessed(State.PARTIAL)))
    assert run.session.awaiting is Awaiting.SUBMISSION
    onward = run.submit(report())
    named = f"About your previous submission. {MISTAKE}"
    assert onward.lead == f"Passed: 2 of 2 cases passed.\n\n{named}\n\n{phrases.AFTER_PASS_LEAD}"
    assert onward.words == phrases.after_pass(brief())
    assert run.session.work.has_passed


def test_a_pass_is_followed_by_one_question_and_the_next_part_comes_when_the_candidate_goes_on() -> None:
    for event in (events.CandidateSaid(5000.0, "the softmax"), events.SkipAsked(5000.0)):
        run = Run(started(CODE, TWO, minutes=200.0))
        asked = run.submit(report())
        passed_at = run.session.work.closed_seconds
        assert passed_at is not None
        told = f"Passed: 2 of 2 cases passed.\n\n{phrases.AFTER_PASS_LEAD}"
        assert (asked.kind, asked.lead) == (MoveKind.VERDICT, told)
        assert run.session.awaiting is Awaiting.SUBMISSION
        assert not run.session.work.is_over
        run.apply(event)
        assert run.session.work.is_over
        assert run.session.work.closed_seconds == passed_at
        assert run.moves[-1].words == "Why does gae work?"
        is_said = isinstance(event, events.CandidateSaid)
        assert run.moves[-1].lead == (phrases.AFTER_PASS_NOTED if is_said else "")
        assert run.session == fold(run.events)


def test_the_question_after_a_pass_is_the_tasks_own_or_fits_its_kind() -> None:
    assert phrases.after_pass(replace(brief(), after_pass="What does bf16 round?")) == "What does bf16 round?"
    assert len({phrases.after_pass(replace(brief(), kind=kind)) for kind in ("implement", "repair", "estimate")}) == 3


def test_a_challenge_goes_on_at_once_after_a_pass() -> None:
    run = Run(replace(started(CODE), device="cpu"))
    assert run.submit(report()).kind is MoveKind.FINISH


def test_a_log_without_a_question_after_a_pass_folds_as_before() -> None:
    run = Run(started(CODE, TWO))
    run.submit(report())
    said = next(event for event in reversed(run.events) if isinstance(event, events.InterviewerSaid))
    opening = replace(said, at=said.at + 3, move=MoveKind.NEXT, text="Passed: all 2 cases.\n\nWhy does gae work?")
    old = fold([*run.events[: run.events.index(said)], opening])
    assert old.awaiting is Awaiting.ANSWER
    assert old.work.is_over
    assert old.part_began_seconds == old.work.closed_seconds == run.session.work.closed_seconds
    assert old.drill.question == "gae"


def test_the_name_comes_with_a_hint_or_with_the_same_mistake_again() -> None:
    run = Run(started(CODE))
    run.submit(report(Verdict.WRONG_VALUE, "max_for_min"))
    assert policy.unnamed_report(run.session) is not None
    run.apply(events.HintAsked(run.now + 1))
    assert (run.moves[-1].lead, run.moves[-1].words) == (MISTAKE, "look")
    assert policy.unnamed_report(run.session) is None
    run.apply(events.HintAsked(run.now + 1))
    assert run.moves[-1].lead == ""
    again = Run(started(CODE))
    again.submit(report(Verdict.WRONG_VALUE, "max_for_min"))
    repeated = again.submit(report(Verdict.WRONG_VALUE, "max_for_min"))
    assert repeated.lead.count(MISTAKE) == 1
    other = report(Verdict.WRONG_VALUE, "min_for_max")
    assert other.mistake is not None
    changed = again.submit(replace(other, mistake=replace(other.mistake, wrong="Drops the clip.")))
    assert "Drops the clip." not in changed.lead
    after = again.submit(report(Verdict.WRONG_VALUE))
    assert "About your previous submission. What your code does: Drops the clip." in after.lead


def test_a_challenge_names_the_mistake_at_once() -> None:
    run = Run(replace(started(CODE), device="cpu"))
    assert MISTAKE in run.submit(report(Verdict.WRONG_VALUE, "max_for_min")).lead
    assert policy.unnamed_report(run.session) is None


@pytest.mark.parametrize(
    ("assessment", "says"),
    [
        (assessed(State.SHOWN, "llm:x"), phrases.EXPLAINS_IT),
        (assessed(State.PARTIAL, "llm:x"), phrases.EXPLAINS_PART),
        (assessed(State.MISSING, "llm:x"), phrases.EXPLAINS_NOTHING),
        (assessed(State.CONTRADICTED, "llm:x"), phrases.EXPLAINS_NOTHING),
        (assessed(State.UNDECIDED, "llm:x"), phrases.KEEP_CODING),
        (assessed(State.PARTIAL), f"You said: “the sign flips”\n\n{phrases.NEAR_OFFLINE}"),
        (assessed(State.MISSING), phrases.UNMATCHED_OFFLINE),
        (assessed(State.CONTRADICTED), phrases.UNMATCHED_OFFLINE),
        (Assessment("llm:x", False, why_not="no reply"), phrases.KEEP_CODING),
    ],
)
def test_the_reaction_to_an_explanation_claims_no_more_than_was_judged(assessment: Assessment, says: str) -> None:
    run = Run(started(CODE))
    run.submit(report(Verdict.WRONG_VALUE, "max_for_min"))
    run.apply(events.CandidateSaid(run.now, "the sign flips"))
    run.apply(events.Assessed(run.now, assessment))
    assert (run.moves[-1].kind, run.moves[-1].text) == (MoveKind.CLARIFY, says)
    assert run.session.awaiting is Awaiting.SUBMISSION


def test_what_nothing_can_be_compared_with_gets_a_neutral_reaction_at_once() -> None:
    run = Run(started(CODE))
    run.submit(report(Verdict.WRONG_VALUE))
    run.apply(events.CandidateSaid(run.now, "perhaps the sign"))
    assert run.moves[-1].words == phrases.KEEP_CODING


def test_a_log_without_the_judgement_of_an_explanation_still_folds() -> None:
    run = Run(started(CODE))
    run.submit(report(Verdict.WRONG_VALUE, "max_for_min"))
    old = [
        *run.events,
        events.CandidateSaid(run.now, "the sign"),
        events.InterviewerSaid(run.now, MoveKind.CLARIFY, "Ok"),
    ]
    assert fold(old).awaiting is Awaiting.SUBMISSION


def test_the_question_about_a_mistake_has_the_mistake_as_its_only_point() -> None:
    wrong = "Takes the maximum of the clipped and the unclipped objective."
    failed = report(Verdict.WRONG_VALUE, "max_for_min")
    assert failed.mistake is not None
    run = Run(started(CODE))
    run.submit(replace(failed, mistake=replace(failed.mistake, wrong=wrong)))
    asked = run.session.judged_question()
    assert [(point.id, point.says) for point in asked.points] == [("max_for_min", wrong)]
    assert asked.prompt == "What if the advantage is negative?"
    judge = CheckedExaminer(OfflineExaminer())
    near = judge.assess(asked, asked.prompt, "My code takes the maximum of the clipped and unclipped objective.")
    far = judge.assess(asked, asked.prompt, "Perhaps the mask has the wrong shape.")
    assert [told.points[0].state for told in (near, far)] == [State.PARTIAL, State.MISSING]


def test_code_that_does_not_load_is_no_submission_and_asks_nothing() -> None:
    run = Run(started(CODE, TWO))
    message = 'File "your code", line 1: SyntaxError: invalid syntax\n    x = = 1\n        ^'
    bad = report(Verdict.NOT_LOADED)
    move = run.submit(replace(bad, cases=tuple(replace(case, message=message) for case in bad.cases)))
    assert (move.kind, move.words, move.target) == (MoveKind.VERDICT, "", "")
    assert move.lead.endswith("SyntaxError: invalid syntax\n\n    x = = 1\n        ^")
    assert "?" not in move.lead
    assert run.session.awaiting is Awaiting.SUBMISSION
    assert run.session.work.submissions == ()
    assert [attempt.source for attempt in run.session.work.attempts] == ["code"]
    run.submit(report())
    text = debrief(run.session)
    assert "**: passed, 1 submission." in text
    assert 'Did not load (not counted): File "your code", line 1: SyntaxError: invalid syntax\n' in text
    assert [attempt.report.verdict for attempt in attempts_of(run.session)] == [Verdict.PASSED]


def test_our_failure_to_grade_is_no_verdict_and_the_submission_is_kept() -> None:
    run = Run(started(CODE))
    run.apply(events.Submitted(run.now, "code"))
    run.apply(events.GradingFailed(run.now, "engine", "no engine answers.", "Start Docker."))
    assert run.session.awaiting is Awaiting.SUBMISSION
    assert run.session.work.attempts[0].report is None
    assert run.session.work.attempts[0].source == "code"
    assert "not your code" in run.moves[-1].lead


def test_hints_of_a_task_come_in_order_and_run_out_politely() -> None:
    run = Run(started(CODE))
    words = []
    for _ in range(3):
        run.apply(events.HintAsked(run.now))
        words.append(run.moves[-1].words)
    assert words[:2] == ["look", "closer"]
    assert "no more hints" in words[2]
    assert run.session.work.hints == 2


def test_running_out_of_time_leaves_the_part_and_then_the_session() -> None:
    run = Run(started(ONE, TWO, examiner="llm:x", minutes=10))
    run.answer(heard(), seconds=400)
    assert run.session.drills[0].left_why == "time"
    run.answer(heard(), seconds=400)
    assert run.session.is_over
    assert run.moves[-1].kind is MoveKind.FINISH


def test_a_pause_between_stop_and_resume_does_not_count() -> None:
    run = Run(started(ONE))
    run.apply(events.Resumed(run.now + 86400))
    assert run.session.elapsed_seconds < 60


def test_a_clock_that_goes_back_does_not_give_time() -> None:
    run = Run(started(ONE))
    before = run.session.elapsed_seconds
    run.apply(events.CandidateSaid(run.now - 500, "early"))
    assert run.session.elapsed_seconds == before


def test_end_closes_everything_from_any_state() -> None:
    for parts in ((ONE,), (CODE,)):
        run = Run(started(*parts))
        run.apply(events.EndAsked(run.now))
        assert run.session.is_over
        with pytest.raises(InvalidTransition):
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
    with pytest.raises(InvalidTransition):
        step(run.session, event)


def test_pending_effects_survive_a_fold() -> None:
    run = Run(started(ONE))
    run.events.append(events.CandidateSaid(run.now, "half way"))
    resumed = step(fold(run.events), events.Resumed(run.now + 5))
    assert pending_effect(resumed) == Assess("clipping", "Why does clipping work?", "half way")
    coded = Run(started(CODE))
    coded.events.append(events.Submitted(coded.now, "src"))
    resumed = step(fold(coded.events), events.Resumed(coded.now + 5))
    assert pending_effect(resumed) == Grade("ppo_clip_loss", "src")


def test_a_log_replays_as_it_was_decided_also_when_policy_would_decide_otherwise_now(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run = Run(started(ONE))
    for shown in ([], ["p1"], [], []):
        run.answer(heard(*shown))
    logged, state = [], None
    for event in run.events:
        logged_event = with_decision(state, event) if isinstance(event, events.Assessed) and state else event
        logged.append(load_event(dump_event(logged_event)))
        state = step(state, event)
    assert fold(logged) == run.session
    monkeypatch.setattr(policy, "decide", lambda question, drill, *rest: Decision(drill, None))
    assert fold(logged) == run.session
    with pytest.raises(InvalidTransition):
        fold(run.events)


def test_with_a_model_a_ladder_held_to_its_top_is_followed_by_one_improvised_question_that_nothing_judges() -> None:
    run = Run(started(ONE, examiner="llm:x", seed=NO_DOUBTS))
    run.answer(heard())
    for number in (1, 2, 3):
        run.answer(heard(f"p{number}"))
    beyond = run.answer(heard("p4"))
    assert beyond is not None
    assert (beyond.kind, beyond.words) == (MoveKind.IMPROVISE, phrases.BEYOND)
    depth = run.session.drill.answers
    run.apply(events.CandidateSaid(run.now + 9, "The slowest link breaks first."))
    assert run.session.is_over
    last = run.session.drills[0].answers[-1]
    assert (last.text, last.weight, last.has_passed) == ("The slowest link breaks first.", 0.0, None)
    assert run.session.drills[0].answers[:-1] == depth
    assert phrases.NEVER_SCORED in debrief(run.session)


def test_the_offline_examiner_never_goes_beyond_the_ladder() -> None:
    run = Run(started(ONE, seed=NO_DOUBTS))
    run.answer(heard())
    for number in (1, 2, 3, 4):
        run.answer(heard(f"p{number}"))
    assert MoveKind.IMPROVISE not in [move.kind for move in run.moves]


def test_an_opening_that_says_everything_is_doubted_once_and_then_the_question_is_over() -> None:
    run = Run(started(ONE, seed=NO_DOUBTS))
    move = run.answer(heard("p1", "p2", "p3", "p4"))
    assert move is not None
    assert (move.kind, move.lead) == (MoveKind.DOUBT, "You said: “quote of p1”")
    assert run.answer(heard("p1"), text="I do, because of the minimum.") is None
    assert run.session.drill.doubts[0].stood is True
    assert run.session.drill.broke_at is None


def test_without_words_to_quote_nothing_is_doubted() -> None:
    run = Run(started(ONE, seed=NO_DOUBTS))
    whole = heard("p1", "p2", "p3", "p4")
    assert run.answer(replace(whole, points=tuple(replace(point, quote="") for point in whole.points))) is None
    assert run.session.drill.doubts == ()


def test_a_question_ends_on_an_easier_rung_where_one_is_left() -> None:
    run = Run(started(ONE, seed=NO_DOUBTS))
    run.answer(heard("p2"))
    move = None
    for shown in (["p3"], [], [], []):
        if run.session.awaiting is Awaiting.ANSWER:
            move = run.answer(heard(*shown))
    closing = [move for move in run.moves if move.lead == phrases.BEFORE_WE_LEAVE]
    assert [(move.kind, move.rung) for move in closing] == [(MoveKind.DEEPER, 1)]
    assert run.session.drill.is_closing
    if run.session.awaiting is Awaiting.ANSWER:
        move = run.answer(heard("p1"))
    assert move is None
    assert run.session.drill.answers[-1].rung == 1


def closing_run() -> Run:
    """Return a session whose closing question, at rung 1, was just asked."""
    run = Run(started(ONE, seed=NO_DOUBTS))
    for shown in (["p2"], ["p3"], [], []):
        run.answer(heard(*shown))
    while not run.session.drill.is_closing:
        run.answer(heard())
    return run


def test_a_question_about_the_closing_question_is_answered_once() -> None:
    run = closing_run()
    asks = heard(flags=("asks_back",))
    move = must(run.answer(asks, text="Do you mean the loss?"))
    assert (move.kind, move.rung, move.words) == (MoveKind.EXPLAIN, 1, "clipping rung 1?")
    assert move.lead == phrases.YOUR_READING
    assert not run.session.drill.is_over
    assert run.answer(asks, text="And which loss?") is None
    assert run.session.drill.is_over

    answered = closing_run()
    answered.answer(asks)
    assert answered.answer(heard("p1")) is None
    assert [answer.has_passed for answer in answered.session.drill.answers[-2:]] == [None, True]


@pytest.mark.parametrize(
    ("flags", "asks"),
    [((), ""), (("does_not_know", "asks_back"), ""), (("gives_up", "asks_back"), "Can we move on?")],
)
def test_any_other_reply_to_the_closing_question_ends_the_topic(flags: tuple[str, ...], asks: str) -> None:
    run = closing_run()
    assert run.answer(replace(heard(flags=flags), asks=asks)) is None
    assert run.session.drill.is_over
