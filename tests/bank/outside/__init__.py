"""150 answers by a writer who saw only the opening questions, graded point by point by a second person.

Neither had seen phrasings, statements or rules. Questions whose id has an even SHA-256 digest are held out: nothing is
ever tuned on their answers, and the figures for that half are the ones that count. `python -m tests.bank.outside`
prints how well the offline examiner judges both halves; with `--open`, only the open one, and with `--phrasings`, how
well it judges by phrasings only.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path

from interviewer.bank.load import load_questions
from interviewer.examiner.checking_examiner import CheckedExaminer
from interviewer.examiner.matching.learned import LearnedMatcher
from interviewer.examiner.offline import OfflineExaminer
from interviewer.session.assessment import State
from interviewer.session.question import Question

ANSWERS = Path(__file__).with_name("answers.toml")
KINDS = ("expert", "short", "half_right", "hedged", "vague", "wrong")
_CREDITED = (State.SHOWN, State.PARTIAL)


@dataclass(frozen=True)
class OutsideAnswer:
    """An outside answer and its grades; a point without an entry in `states` is missing."""

    question: str
    kind: str
    text: str
    states: Mapping[str, State]

    @property
    def is_held_back(self) -> bool:
        """Return whether this answer must not be used for tuning."""
        return hashlib.sha256(self.question.encode()).digest()[0] % 2 == 0


@dataclass(frozen=True)
class Figures:
    """How the examiner's states compare with the grades, over all points of some answers."""

    answers: int
    credited: int
    heard: int
    given: int
    undeserved: int
    contradicted: int
    noticed: int
    full: int
    full_heard: int

    def __str__(self) -> str:
        """Return the fractions in one line."""
        return (
            f"{self.answers} answers: {share(self.heard, self.credited)} of {self.credited} credited points are heard"
            f" ({share(self.full_heard, self.full)} of the {self.full} that earn full credit);"
            f" {share(self.undeserved, self.given)} of {self.given} heard points are missing or wrong;"
            f" {share(self.noticed, self.contradicted)} of {self.contradicted} contradicted points are noticed"
        )


def share(part: int, whole: int) -> str:
    """Return a fraction in percent; a dash if the total is zero."""
    return f"{part / whole:.0%}" if whole else "–"


def load_outside(questions: Mapping[str, Question]) -> tuple[OutsideAnswer, ...]:
    """Return the answers. Raises KeyError if a question or a point is not in the bank."""
    loaded = []
    for entry in tomllib.loads(ANSWERS.read_text(encoding="utf-8"))["answer"]:
        question = questions[entry["question"]]
        states = {
            question.point(point).id: state
            for state in (State.SHOWN, State.PARTIAL, State.CONTRADICTED)
            for point in entry[state.value]
        }
        loaded.append(OutsideAnswer(question.id, entry["kind"], entry["text"].strip(), states))
    return tuple(loaded)


def judge_all(
    matcher: LearnedMatcher | None = None, is_wanted: Callable[[OutsideAnswer], bool] = lambda answer: True
) -> list[tuple[OutsideAnswer, dict[str, State]]]:
    """Return the selected answers with the states that the offline examiner assigns to all points of their questions.

    Without a matcher, the examiner judges only by phrasings.
    """
    questions = {question.id: question for question in load_questions()}
    examiner = CheckedExaminer(OfflineExaminer(matcher))
    judged = []
    for answer in filter(is_wanted, load_outside(questions)):
        question = questions[answer.question]
        found = examiner.assess(question, question.prompt, answer.text)
        judged.append((answer, {point.id: found.state_of(point.id) for point in question.points}))
    return judged


def compare(judged: Iterable[tuple[OutsideAnswer, Mapping[str, State]]]) -> Figures:
    """Return the figures of answers, given the examiner's states of all points of their questions."""
    counts: Counter[str] = Counter()
    for answer, states in judged:
        counts["answers"] += 1
        for point, found in states.items():
            graded = answer.states.get(point, State.MISSING)
            counts["credited"] += graded in _CREDITED
            counts["heard"] += graded in _CREDITED and found in _CREDITED
            counts["given"] += found in _CREDITED
            counts["undeserved"] += found in _CREDITED and graded not in _CREDITED
            counts["contradicted"] += graded is State.CONTRADICTED
            counts["noticed"] += graded is State.CONTRADICTED and found is State.CONTRADICTED
            counts["full"] += graded is State.SHOWN
            counts["full_heard"] += graded is State.SHOWN and found in _CREDITED
    return Figures(*(counts[field.name] for field in fields(Figures)))
