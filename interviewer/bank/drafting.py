"""Makes a draft of a question from its prompt and the answers given with it; it adds no claim of its own."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from itertools import combinations
from typing import Any

from interviewer.bank.outline import Found
from interviewer.examiner.matching.overlap import content_stems, stems
from interviewer.examiner.matching.patterns import compiled
from interviewer.examiner.matching.sentences import normalise, split_sentences, words_of

LEVEL = 3
RUNG_POINTS_MAX = 3
_NAME_WORDS = 4
_NAME_CHARS_MAX = 48
_KEYS_MAX = 3
_KEY_LETTERS_MIN = 3
_LONE_KEY_LETTERS_MIN = 6
_WITHIN = r"\b.{0,60}\b"
_PIECE = re.compile(r"[^\W_]+|[^\w\s]")
_WHOLE_PIECES_MAX = 12
_FORMULA_PIECES_MAX = 60


def draft_of(found: Found, area: str, source: str) -> dict[str, Any]:
    """Return the table of a draft: the given answers are its points, and rungs ask for them in their order.

    An answer that says nothing beyond the prompt is no point: an echo of the question would earn it.
    """
    points: list[dict[str, Any]] = []
    for says in found.answers:
        shows = phrasings(says, [found.prompt])
        if shows:
            points.append({"id": name_of(says, [one["id"] for one in points]), "says": says, "shows": shows})
    head = {"format": 1, "draft": True, "level": LEVEL, "topics": [area], "source": [source], "prompt": found.prompt}
    return {**head, **({"point": points} if points else {}), "rung": _rungs(found.prompt, points)}


def _rungs(prompt: str, points: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    if not points:
        return [{"ask": prompt}]
    rungs = []
    for start in range(0, len(points), RUNG_POINTS_MAX):
        wanted = points[start : start + RUNG_POINTS_MAX]
        ask = f"What else belongs to a full answer? {prompt}" if start else f"In short: {prompt}"
        answer = "\n".join(one["says"] for one in wanted)
        rungs.append({"ask": ask, "answer": answer, "points": [one["id"] for one in wanted]})
    return rungs


def name_of(text: str, taken: Collection[str], fallback: str = "point") -> str:
    """Return a snake_case name made of the words of a text that carry content, with a number when it is taken."""
    folded = unicodedata.normalize("NFKD", normalise(text)).encode("ascii", "ignore").decode()
    words = [word.replace("'", "") for word in words_of(folded) if content_stems([word])]
    name = "_".join(words[:_NAME_WORDS])[:_NAME_CHARS_MAX].strip("_")
    if not name[:1].isalpha():
        name = f"{fallback}_{name}".strip("_")
    return numbered(name, taken)


def numbered(name: str, taken: Collection[str]) -> str:
    """Return the name, or with the first number from 2 on that makes it one that is not taken."""
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name}_{number}"
    return free


def phrasings(says: str, said_by_us: Iterable[str]) -> list[str]:
    """Return regular expressions that hear a statement: as it stands, and two of its words in either order.

    None hits a text that was said by us, and their words are taken only where the statement has too few of its own.
    """
    ours = [one.text for text in said_by_us for one in split_sentences(text)]
    asked = stems(" ".join(ours))
    keys = [key for key in dict.fromkeys(content_stems(words_of(normalise(says)))) if len(key) >= _KEY_LETTERS_MIN]
    telling = [key for key in keys if key not in asked]
    chosen = sorted(sorted(telling, key=len, reverse=True)[:_KEYS_MAX], key=keys.index)
    if len(chosen) == 1 and len(keys) > 1:
        chosen += [key for key in keys if key in asked][:1]
    patterns = [_whole(says, _WHOLE_PIECES_MAX if len(chosen) > 1 else _FORMULA_PIECES_MAX)]
    for first, second in combinations(chosen, 2):
        patterns += [in_order((first, second)), in_order((second, first))]
    if len(chosen) == 1 and len(chosen[0]) >= _LONE_KEY_LETTERS_MIN:
        patterns.append(in_order(chosen))
    return [one for one in dict.fromkeys(patterns) if one and not any(compiled(one).search(text) for text in ours)]


def in_order(keys: Sequence[str]) -> str:
    """Return a regular expression that hears these stems one after the other, near to one another."""
    return r"\b" + _WITHIN.join(rf"{re.escape(key)}\w*" for key in keys)


def _whole(says: str, pieces_max: int) -> str:
    """Return a regular expression for the words or the formula as they stand; "" for a longer statement."""
    pieces = _PIECE.findall(normalise(says).rstrip(".:;, "))
    return r"\s*".join(re.escape(piece) for piece in pieces) if 1 < len(pieces) <= pieces_max else ""
