"""What the interviewer asks after a verdict fits the way in which the code failed."""

from __future__ import annotations

import pytest

from graders.verdict import Verdict
from interviewer.session.phrases import verdict_question
from tests.session.build import report


@pytest.mark.parametrize(
    ("verdict", "says"),
    [
        (Verdict.RAISED, "line that raised"),
        (Verdict.NOT_LOADED, "file lack"),
        (Verdict.TIMED_OUT, "spend its time"),
        (Verdict.DEADLOCKED, "Which rank waits"),
        (Verdict.WRONG_VALUE, "No mistake on file matches"),
    ],
)
def test_a_failure_without_a_mistake_on_file_earns_a_fitting_question(verdict: Verdict, says: str) -> None:
    assert says in verdict_question(report(verdict))


def test_a_mistake_on_file_earns_its_own_question() -> None:
    failed = report(Verdict.RAISED, mistake="max_for_min")
    assert failed.mistake is not None
    assert verdict_question(failed) == failed.mistake.ask
