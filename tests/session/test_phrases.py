"""The interviewer's question after a verdict fits the way in which the code failed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from graders.verdict import Symptom, Verdict
from interviewer.session.debrief import AnswerStatistics
from interviewer.session.phrases import after_pass, diagnosis, offer, open_task, verdict_lead, verdict_question
from tests.session.build import brief, report


@pytest.mark.parametrize(
    ("verdict", "says"),
    [
        (Verdict.RAISED, "line that raised"),
        (Verdict.TIMED_OUT, "spend its time"),
        (Verdict.DEADLOCKED, "Which rank waits"),
        (Verdict.WRONG_VALUE, "This matches no known mistake"),
    ],
)
def test_a_failure_without_a_mistake_on_file_earns_a_fitting_question(verdict: Verdict, says: str) -> None:
    assert says in verdict_question(report(verdict))


def test_a_mistake_on_file_earns_its_own_question() -> None:
    failed = report(Verdict.RAISED, mistake="max_for_min")
    assert failed.mistake is not None
    assert verdict_question(failed) == failed.mistake.ask


NEGATED = Symptom("negated", "In the failing case, `loss` is the expected value with the opposite sign.", "Which way?")


def test_a_symptom_is_told_and_earns_its_question_where_no_mistake_has_a_name() -> None:
    failed = replace(report(Verdict.WRONG_VALUE), symptoms=(NEGATED,))
    assert verdict_question(failed) == "Which way?"
    assert verdict_lead(failed).endswith(f"What the outputs show: {NEGATED.says}")
    assert "No known mistake" not in verdict_question(failed)


def test_a_name_without_matching_outputs_is_told_as_a_likeness() -> None:
    failed = report(Verdict.RAISED, mistake="max_for_min")
    assert failed.mistake is not None
    assert diagnosis(failed) == [("What your code does", "Takes the maximum.")]
    alike = replace(failed, mistake=replace(failed.mistake, is_exact=False))
    assert diagnosis(alike) == [("What this looks like", "Takes the maximum.")]


def test_each_of_two_mistakes_is_told_with_the_cases_that_show_it() -> None:
    failed = report(Verdict.WRONG_VALUE, mistake="max_for_min")
    assert failed.mistake is not None
    beside = replace(failed.mistake, id="other", wrong="Forgets the mask.", cases=("f7",))
    assert diagnosis(replace(failed, mistake=replace(failed.mistake, beside=beside))) == [
        ("What your code does in f6", "Takes the maximum."),
        ("What your code does in f7", "Forgets the mask."),
    ]


@pytest.mark.parametrize(("title", "ends"), [("PPO loss", "PPO loss."), ("How many bytes?", "How many bytes?")])
def test_a_title_that_is_a_question_gets_no_second_mark(title: str, ends: str) -> None:
    assert f"Now some code: {ends} You have" in open_task(title, 20.0)
    assert offer(title, 20.0).endswith(f"It would be: {ends}")


def test_one_number_and_one_word_are_singular() -> None:
    assert "41 words, 1 number;" in str(AnswerStatistics(7, 20.0, 41.0, 1.0, 0.0))
    assert "1 answer." in (said := str(AnswerStatistics(1, 20.0, 1.0, 0.0, 0.0)))
    assert "1 word, 0 numbers;" in said


def test_the_question_after_a_pass_applies_to_code_without_tensors() -> None:
    assert "bf16" not in after_pass(replace(brief(), kind="implement"))
