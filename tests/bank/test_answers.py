"""The offline examiner judges each stored answer as its author specified."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from interviewer.bank.load import QUESTIONS, load_question
from interviewer.examiner.offline import OfflineExaminer
from interviewer.session.assessment import State
from tests.recorded import Subject

pytestmark = pytest.mark.content

ANSWERS = Path(__file__).parent / "answers"
KINDS = ("excellent", "other_words", "partial", "wrong", "keywords", "negated", "echo")
KEYS = {"kind", "text", "shown", "not_shown", "misconceptions"}


def _answers() -> list[Any]:
    rows = []
    for path in sorted(ANSWERS.glob("*.toml")):
        for number, answer in enumerate(tomllib.loads(path.read_text(encoding="utf-8"))["answer"]):
            rows.append(pytest.param(path.stem, answer, id=f"{path.stem}-{answer.get('kind')}-{number}"))
    return rows


def _subject(params: dict[str, Any]) -> Subject:
    slug = params["slug"]
    return Subject(slug, (next(QUESTIONS.glob(f"*/{slug}.toml")), ANSWERS / f"{slug}.toml"))


@pytest.mark.recorded(subject_of=_subject)
@pytest.mark.parametrize(("slug", "answer"), _answers())
def test_answer_is_heard_as_its_author_says(slug: str, answer: dict[str, Any]) -> None:
    question = load_question(next(QUESTIONS.glob(f"*/{slug}.toml")))
    claims = [*answer.get("shown", ()), *answer.get("not_shown", ())]
    assert set(answer) <= KEYS
    assert answer["kind"] in KINDS
    assert claims or answer.get("misconceptions"), "an answer on file must claim something"
    assert set(claims) <= {point.id for point in question.points}

    assessment = OfflineExaminer().assess(question, question.prompt, answer["text"])

    states = {point.id: point.state for point in assessment.points}
    # Without phrasings, only the learned matcher can recognize a point.
    by_phrasings = {point.id for point in question.points if point.shows}
    expected = [name for name in answer.get("shown", ()) if name in by_phrasings]
    lost = [name for name in expected if states[name] not in (State.SHOWN, State.PARTIAL)]
    given = [point for point in assessment.points if point.id in answer.get("not_shown", ()) and point.state == "shown"]
    misconceptions = {belief.id for belief in assessment.misconceptions}
    assert not lost, f"must be shown or partial, and is not: { {name: states[name] for name in lost} }"
    assert not given, f"must not be shown, and is: {given}"
    assert not set(answer.get("misconceptions", ())) - misconceptions, f"must be heard; heard were {misconceptions}"
    if answer["kind"] == "keywords":
        assert State.SHOWN not in states.values(), f"a list of terms shows nothing: {assessment.points}"
    if answer["kind"] == "excellent":
        assert not misconceptions, f"a right answer is accused: {assessment.misconceptions}"


@pytest.mark.parametrize("path", sorted(QUESTIONS.glob("*/*.toml")), ids=lambda path: path.stem)
def test_question_has_answers_of_every_needed_kind(path: Path) -> None:
    answers = tomllib.loads((ANSWERS / path.name).read_text(encoding="utf-8"))["answer"]

    kinds = {answer["kind"] for answer in answers}

    assert len(answers) >= 6
    assert kinds >= set(KINDS) - {"echo"}
