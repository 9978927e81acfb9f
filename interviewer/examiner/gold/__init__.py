"""Loads the gold answers, which were written without seeing the rubric, with the state of every point."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from interviewer.bank.fields import read_toml
from interviewer.session.assessment import State
from interviewer.session.codec import to_plain
from interviewer.session.question import Question

KINDS = ("excellent", "other_words", "good", "partial", "thin", "wrong", "keywords", "injection")
_STATES = (State.SHOWN, State.PARTIAL, State.CONTRADICTED)


class GoldError(ValueError):
    """A gold file does not match its question; the message names the file and the location."""


@dataclass(frozen=True)
class GoldAnswer:
    """One answer and the credit a strict expert gives it. A point that is not in `states` is treated as missing."""

    question: str
    kind: str
    text: str
    states: Mapping[str, State]
    believes: tuple[str, ...]

    def state_of(self, point_id: str) -> State:
        """Return the state the expert assigned to one point."""
        return self.states.get(point_id, State.MISSING)


def load_gold(questions: Mapping[str, Question]) -> tuple[GoldAnswer, ...]:
    """Return all gold answers; each question has either all eight kinds of answers or none.

    Raises GoldError if a gold file does not match its question.
    """
    answers: list[GoldAnswer] = []
    for path in sorted(Path(__file__).parent.glob("*.toml")):
        table, problems = read_toml(path)
        if problems:
            raise GoldError(problems[0])
        question = questions.get(str(table.get("question")))
        if question is None:
            raise GoldError(f"{path.name}: question: no such question: {table.get('question')}")
        entries = [_answer(path.name, question, entry) for entry in table.get("answer", [])]
        if tuple(sorted(answer.kind for answer in entries)) != tuple(sorted(KINDS)):
            raise GoldError(f"{path.name}: expected one answer of each kind: {', '.join(KINDS)}")
        answers += entries
    return tuple(answers)


def rubric_version(questions: Mapping[str, Question], answers: tuple[GoldAnswer, ...]) -> str:
    """Return a short hash of the gold answers and their questions.

    The hash excludes fields that do not affect a judgment: title, checks, clarifications, the coding tasks that
    practice a question, and each point's `still_open` text. Therefore, a new check or a renamed task does not
    invalidate an examiner's calibration.
    """
    judged = [_as_judged(questions[name]) for name in sorted({answer.question for answer in answers})]
    whole = json.dumps([judged, to_plain(answers)], sort_keys=True)
    return hashlib.sha256(whole.encode()).hexdigest()[:12]


def _as_judged(question: Question) -> dict[str, object]:
    points = tuple(replace(point, says=point.for_judge, still_open="") for point in question.points)
    plain = to_plain(replace(question, called="", points=points, checks=(), tasks=()))
    # The first calibrations were made before these keys existed, so the keys are not part of the hash.
    for point in plain["points"]:
        del point["enough"]
    return {key: value for key, value in plain.items() if key != "clarify"}


def _answer(file: str, question: Question, entry: Mapping[str, object]) -> GoldAnswer:
    where = f"{file}: {entry.get('kind')}"
    states: dict[str, State] = {}
    for state in _STATES:
        for point in _ids(entry, state.value, [point.id for point in question.points], where):
            if point in states:
                raise GoldError(f"{where}: {point} has two states")
            states[point] = state
    text = str(entry.get("text", "")).strip()
    if not text:
        raise GoldError(f"{where}: text: expected the answer, got nothing")
    believes = _ids(entry, "believes", [misconception.id for misconception in question.misconceptions], where)
    return GoldAnswer(question.id, str(entry.get("kind")), text, states, tuple(believes))


def _ids(entry: Mapping[str, object], key: str, known: list[str], where: str) -> list[str]:
    ids = entry.get(key, [])
    if not isinstance(ids, list):
        raise GoldError(f"{where}: {key}: expected a list")
    for name in ids:
        if name not in known:
            raise GoldError(f"{where}: {key}: unknown id {name}; known: {', '.join(known)}")
    return ids
