"""Measures the offline examiner on answers by authors who had not seen the phrasings; half are held out of tuning."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from interviewer.bank.load import QUESTIONS, load_question
from interviewer.examiner.offline import OfflineExaminer
from interviewer.session.assessment import Assessment, State
from interviewer.session.question import Question

pytestmark = pytest.mark.content

BLIND = Path(__file__).parent / "blind"
HALVES = ("tune", "held_out")
RECALL_SHOWN = 0.82
RECALL_SHOWN_OR_PARTIAL = 0.82
FALSELY_SHOWN = 0.02
MISCONCEPTION_RECALL = 0.65
WRONGLY_ACCUSED = 0.05


@dataclass
class Matches:
    """The counts of the examiner's judgments on one half of the answers."""

    labelled: int = 0
    shown: int = 0
    shown_or_partial: int = 0
    not_labelled: int = 0
    falsely_shown: int = 0
    beliefs: int = 0
    beliefs_heard: int = 0
    beliefs_wrongly_heard: int = 0
    count: int = 0
    lost: list[str] = field(default_factory=list)

    def add(self, name: str, answer: dict[str, Any], assessment: Assessment) -> None:
        """Count one answer, and name the points that were missed or wrongly credited in it."""
        for point in answer["shown"]:
            state = assessment.state_of(point)
            self.labelled += 1
            self.shown += state is State.SHOWN
            self.shown_or_partial += state in (State.SHOWN, State.PARTIAL)
            if state is not State.SHOWN:
                self.lost.append(f"{name} {point}: {state}")
        for point in answer["not_shown"]:
            self.not_labelled += 1
            if assessment.state_of(point) is State.SHOWN:
                self.falsely_shown += 1
                self.lost.append(f"{name} {point}: falsely shown")
        misconceptions = {belief.id for belief in assessment.misconceptions}
        self.beliefs += len(answer["misconceptions"])
        self.beliefs_heard += len(misconceptions & set(answer["misconceptions"]))
        self.beliefs_wrongly_heard += len(misconceptions - set(answer["misconceptions"]))
        self.count += 1

    @property
    def rates(self) -> dict[str, float]:
        """Return the fractions; the last one is a count per answer."""
        return {
            "recall shown": self.shown / self.labelled,
            "recall shown or partial": self.shown_or_partial / self.labelled,
            "falsely shown": self.falsely_shown / self.not_labelled,
            "misconception recall": self.beliefs_heard / self.beliefs,
            "beliefs wrongly heard per answer": self.beliefs_wrongly_heard / self.count,
        }


def answers(half: str) -> Iterator[tuple[str, Question, str, dict[str, Any]]]:
    """Yield name, question, asked text, and answer with its labels, for each answer in one half."""
    for path in sorted(BLIND.glob("*.toml")):
        question = load_question(next(QUESTIONS.glob(f"*/{path.stem}.toml")))
        for number, answer in enumerate(tomllib.loads(path.read_text(encoding="utf-8"))["answer"]):
            if answer["half"] == half:
                rung = answer["asked"]
                asked = question.rungs[rung - 1].ask if rung else question.prompt
                yield f"{path.stem}[{number}]", question, asked, answer


def measure(half: str) -> Matches:
    """Return what the offline examiner credits in one half."""
    matches = Matches()
    for name, question, asked, answer in answers(half):
        matches.add(name, answer, OfflineExaminer().assess(question, asked, answer["text"]))
    return matches


@pytest.mark.parametrize("half", HALVES)
def test_labels_are_of_the_question(half: str) -> None:
    for name, question, _, answer in answers(half):
        points = {point.id for point in question.points}
        assert set(answer["shown"]) | set(answer["not_shown"]) <= points, name
        assert not set(answer["shown"]) & set(answer["not_shown"]), name
        assert set(answer["misconceptions"]) <= {misconception.id for misconception in question.misconceptions}, name


def test_held_out_half_is_heard() -> None:
    matches = {half: measure(half) for half in HALVES}
    for half, counted in matches.items():
        shares = ", ".join(f"{name} {share:.1%}" for name, share in counted.rates.items())
        print(f"\n{half}: {shares}")  # noqa: T201 - read with -s
    held_out = matches["held_out"].rates

    # Slightly below the values at the time they were set; raise them when the examiner gets better.
    assert held_out["recall shown"] >= RECALL_SHOWN
    assert held_out["recall shown or partial"] >= RECALL_SHOWN_OR_PARTIAL
    assert held_out["falsely shown"] <= FALSELY_SHOWN
    assert held_out["misconception recall"] >= MISCONCEPTION_RECALL
    assert held_out["beliefs wrongly heard per answer"] <= WRONGLY_ACCUSED
    assert matches["tune"].rates["falsely shown"] <= 0.03
