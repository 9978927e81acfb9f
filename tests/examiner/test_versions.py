"""A version identifies judgments: on the same gold answers, the same version always judges the same way."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from importlib.resources import files

import pytest

from interviewer.bank.load import load_questions
from interviewer.examiner import gold
from interviewer.examiner.calibration.measure import make_attacks
from interviewer.examiner.checking_examiner import CheckedExaminer
from interviewer.examiner.gold import load_gold, rubric_version
from interviewer.examiner.offline import OfflineExaminer
from interviewer.session.assessment import Assessment
from tests.recorded import whole_bank

QUESTIONS = {question.id: question for question in load_questions()}
GOLD = load_gold(QUESTIONS)
EXAMINER = CheckedExaminer(OfflineExaminer())


def judged() -> Iterator[tuple[str, str, str, Assessment]]:
    """Yield each gold answer and each attack, judged for the opening and for every rung that asks for a number."""
    for answer in (*GOLD, *make_attacks(QUESTIONS, GOLD)):
        question = QUESTIONS[answer.question]
        for asked in (question.prompt, *(rung.ask for rung in question.rungs if rung.check)):
            yield question.id, answer.kind, asked, EXAMINER.assess(question, asked, answer.text)


def digest_of_judgements() -> str:
    """Return a digest of states, misconceptions and flags; quotes earn nothing and are left out."""
    findings = [
        (
            *what,
            assessment.is_graded,
            sorted((point.id, point.state.value) for point in assessment.points),
            sorted(belief.id for belief in assessment.misconceptions),
            sorted(assessment.flags),
        )
        for *what, assessment in judged()
    ]
    return hashlib.sha256(json.dumps(findings).encode()).hexdigest()[:16]


@pytest.mark.recorded(subject_of=whole_bank)
@pytest.mark.slow
def test_the_judgements_change_only_with_the_version() -> None:
    """Nothing else invalidates a user's calibration.

    It fails with "no entry" after a change to the gold answers, their questions or the version: add the digest.
    It fails with "judges differently" after a change to the rules: increment the version, add an entry, and calibrate.
    """
    known = json.loads(files(gold).joinpath("judgements.json").read_text(encoding="utf-8"))
    rubric, digest = rubric_version(QUESTIONS, GOLD), digest_of_judgements()
    entry = f"version {EXAMINER.version}, rubric {rubric}"
    assert entry in known, f"no entry; if that is meant, add to judgements.json: {json.dumps({entry: digest})}"
    assert known[entry] == digest, f"version {EXAMINER.version} judges differently than before: raise it"
