"""Counts which points the answers on file try: right in other words, wrong with the same words, and denied."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from interviewer.bank.fields import read_toml
from interviewer.bank.load import load_questions
from interviewer.bank.overlap import content_stems, hear_point, stems
from interviewer.bank.sentences import split_sentences
from interviewer.session.assessment import State
from interviewer.session.question import Point, Question

# Beside the questions in a checkout; what is installed has no tests.
ANSWERS = Path(__file__).parents[2] / "tests" / "bank" / "answers"
_BY_HEART = "excellent"
_STEMS_AT_LEAST = 2
# Each answer is looked at once for every point of its question.
_sentences = cache(split_sentences)


@dataclass(frozen=True)
class Tried:
    """Hold how the answers on file try one point.

    `right` counts right answers besides the excellent one, `foreign` those of them that share no word with the point;
    `wrong` and `denied` count statements with words of the point that must not earn it.
    """

    question: str
    point: str
    right: int
    foreign: int
    wrong: int
    denied: int

    @property
    def lacks(self) -> tuple[str, ...]:
        """Return what is missing of two paraphrases (one in foreign words), a wrong and a denied statement."""
        needs = {
            "a second right paraphrase" if self.right else "any right paraphrase": self.right >= 2,
            "a paraphrase with none of its words": self.foreign >= 1,
            "a wrong statement with its words": self.wrong >= 1,
            "a denied statement": self.denied >= 1,
        }
        return tuple(name for name, is_there in needs.items() if not is_there)


def tried_points(questions: Sequence[Question], folder: Path = ANSWERS) -> list[Tried]:
    """Return how each point of the questions is tried by <folder>/<question>.toml."""
    return [
        _tried(question, point, answers)
        for question in questions
        for answers in [read_toml(folder / f"{question.id}.toml")[0].get("answer", [])]
        for point in question.points
    ]


def _tried(question: Question, point: Point, answers: Sequence[Mapping[str, Any]]) -> Tried:
    right = [one for one in answers if point.id in one.get("shown", ()) and one["kind"] != _BY_HEART]
    foreign = [one for one in right if _is_foreign(question, point, one["text"])]
    against = [one for one in answers if point.id in one.get("not_shown", ()) and _speaks_of(point, one["text"])]
    wrong, denied = ([one for one in against if one["kind"] == kind] for kind in ("wrong", "negated"))
    return Tried(question.id, point.id, len(right), len(foreign), len(wrong), len(denied))


def _is_foreign(question: Question, point: Point, text: str) -> bool:
    """Return whether the words that earn the point are none of its own."""
    heard = hear_point(point, _sentences(text), stems(question.prompt))
    return heard.state is State.SHOWN and not stems(point.says) & stems(heard.quote)


def _speaks_of(point: Point, text: str) -> bool:
    """Return whether some sentence has words of the point: an answer about other things tries nothing."""
    own = stems(point.says)
    return any(len(own.intersection(content_stems(one.words))) >= _STEMS_AT_LEAST for one in _sentences(text))


def coverage(tried: Sequence[Tried]) -> str:
    """Return the coverage in one line."""
    counts = {
        "right outside the excellent answer": sum(one.right >= 1 for one in tried),
        "right twice": sum(one.right >= 2 for one in tried),
        "right with none of its words": sum(one.foreign >= 1 for one in tried),
        "wrong with its words": sum(one.wrong >= 1 for one in tried),
        "denied": sum(one.denied >= 1 for one in tried),
        "all four": sum(not one.lacks for one in tried),
    }
    said = ", ".join(f"{name} {count / max(1, len(tried)):.0%}" for name, count in counts.items())
    return f"answers on file for {len(tried)} points: {said}"


def main() -> int:
    """Print each point that lacks something, and the coverage."""
    tried = tried_points(load_questions())
    lines = [f"{one.question} {one.point}: lacks {'; '.join(one.lacks)}" for one in tried if one.lacks]
    sys.stdout.write("\n".join([*lines, coverage(tried)]) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
