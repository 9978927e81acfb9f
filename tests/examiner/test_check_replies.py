"""Measures how check answers are read, on replies whose authors knew the check and its result, but not the reader.

Each line of `check_replies.jsonl` has a check (drawn with seed 5), two right replies, a wrong one, and one that
mentions the right result without claiming it ("none"). The reader was tuned on the lines that are not held out;
of the others, only five short replies were looked at, after the first measurement.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from interviewer.bank.load import load_questions
from interviewer.examiner.check_answers import verify
from interviewer.examiner.plain_statements import words_of_question
from interviewer.session.assessment import CheckResult

REPLIES = [json.loads(line) for line in (Path(__file__).parent / "check_replies.jsonl").read_text().splitlines()]
SEED = 5


def results(*, is_held_out: bool) -> dict[str, Counter[CheckResult]]:
    """Return how the replies of each kind are read; checks that have changed since are left out."""
    questions = {question.id: question for question in load_questions()}
    counts = {kind: Counter[CheckResult]() for kind in ("right", "wrong", "none")}
    for entry in REPLIES:
        name, place = entry["check"].split("#")
        if entry["is_held_out"] is not is_held_out or name not in questions:
            continue
        question = questions[name]
        if (
            int(place) >= len(question.checks)
            or (drawn := question.drawn_check(f"{place}.0", SEED)).text != entry["asked"]
        ):
            continue
        for kind, counted in counts.items():
            counted.update(verify(drawn, text, words_of_question(question)) for text in entry[kind])
    return counts


@pytest.mark.content
@pytest.mark.parametrize("is_held_out", [False, True])
def test_own_results_are_read_and_those_of_others_are_not(is_held_out: bool) -> None:
    counts = results(is_held_out=is_held_out)
    right, wrong, none = counts["right"], counts["wrong"], counts["none"]
    assert none.total() >= 60
    assert right[CheckResult.RIGHT] >= 0.7 * right.total()
    assert right[CheckResult.WRONG] <= 0.01 * right.total()
    assert wrong[CheckResult.RIGHT] == 0
    assert wrong[CheckResult.WRONG] >= 0.75 * wrong.total()
    assert none[CheckResult.RIGHT] <= 0.03 * none.total()
