"""Lists statements of different questions that share terms side by side, so that a reader notices contradictions.

`python -m tests.bank.side_by_side` prints the pairs that nobody has read since one of their statements changed;
`--all` prints every pair, and `--read` records the printed ones as read. What a reader found goes into
`side_by_side.toml`, along with how it was resolved.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import json
import math
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from interviewer.bank.load import load_questions
from interviewer.session.question import Question

RECORD = Path(__file__).with_suffix(".json")
NEAR = 0.3
# For a point and a misconception: they share fewer words than two points, and a contradiction was once missed at 0.24.
NEAR_OPPOSED = 0.2
ENDING = re.compile(r"(?<=[a-z]{3})(ing|ed|es|s|ly)$")


class Statement(NamedTuple):
    """A question's point, which is true, or its misconception, which is false."""

    question: str
    kind: str
    id: str
    says: str


class Pair(NamedTuple):
    """Two statements of different questions, and the similarity of their words (cosine, 0 to 1)."""

    left: Statement
    right: Statement
    nearness: float

    @property
    def digest(self) -> str:
        """Return a key for this pair that changes with either statement's text."""
        return hashlib.sha256("\0".join((*self.left, *self.right)).encode()).hexdigest()[:16]


def statements_of(questions: Iterable[Question]) -> list[Statement]:
    """Return all points and misconceptions, in the order of the questions."""
    found = []
    for question in questions:
        found += [Statement(question.id, "point", point.id, point.says) for point in question.points]
        found += [Statement(question.id, "misconception", wrong.id, wrong.says) for wrong in question.misconceptions]
    return found


def pairs_of(statements: Sequence[Statement], near: float = NEAR, near_opposed: float = NEAR_OPPOSED) -> list[Pair]:
    """Return the pairs from different questions with similar words, most similar first; rare words count more."""
    words = [Counter(_stems(statement.says)) for statement in statements]
    spread = Counter(itertools.chain.from_iterable(words))
    weights = [{word: count * math.log(len(words) / spread[word]) for word, count in each.items()} for each in words]
    lengths = [math.sqrt(sum(weight**2 for weight in each.values())) for each in weights]
    products: dict[tuple[int, int], float] = defaultdict(float)
    for word in spread:
        holders = [place for place, each in enumerate(weights) if word in each]
        for left, right in itertools.combinations(holders, 2):
            products[left, right] += weights[left][word] * weights[right][word]
    pairs = [
        Pair(statements[left], statements[right], product / (lengths[left] * lengths[right]))
        for (left, right), product in products.items()
        if statements[left].question != statements[right].question
        and product
        >= (near if statements[left].kind == statements[right].kind else near_opposed) * lengths[left] * lengths[right]
    ]
    return sorted(pairs, key=lambda pair: -pair.nearness)


def _stems(text: str) -> list[str]:
    return [ENDING.sub("", word) for word in re.findall(r"[a-z0-9.]*[a-z0-9]", text.lower())]


def unread(pairs: Iterable[Pair]) -> list[Pair]:
    """Return the pairs that are not in the record."""
    read = set(json.loads(RECORD.read_text(encoding="utf-8"))) if RECORD.exists() else set()
    return [pair for pair in pairs if pair.digest not in read]


def main(arguments: Sequence[str] | None = None) -> None:
    """Print pairs, and with `--read` record them."""
    parser = argparse.ArgumentParser(prog="python -m tests.bank.side_by_side", description=main.__doc__)
    parser.add_argument("--all", action="store_true", help="print every pair, not only those that nobody has read")
    parser.add_argument("--read", action="store_true", help="record every pair as read")
    options = parser.parse_args(arguments)
    pairs = pairs_of(statements_of(load_questions()))
    for pair in pairs if options.all else unread(pairs):
        both = (f"  {each.question}.{each.id} ({each.kind}): {each.says}\n" for each in (pair.left, pair.right))
        sys.stdout.write(f"{pair.nearness:.2f}\n{''.join(both)}")
    if options.read:
        RECORD.write_text(json.dumps(sorted({pair.digest for pair in pairs}), indent=0) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
