"""Checks a judge's quotes against the answer. An accepted quote is a span of the candidate's text, not of the reply."""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from interviewer.examiner.answer_flags import is_instruction
from interviewer.examiner.matching.overlap import content_stems
from interviewer.examiner.matching.sentences import Sentence, normalize, words_of
from interviewer.session.phrases import JUDGED_CHARACTERS_MAX

_QUOTE_CHARS_MAX = 400
_EDITED_SHARE = 0.1
_CONTENT_WORDS_MIN = 3
# Chinese and Japanese are written without spaces; a word is about two characters long.
_CHARS_PER_WORD = 2
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
# The edit distance is computed around at most this many occurrences of each piece of a quote.
_OCCURRENCES_MAX = 20
# This set differs from the set of unsafe characters in `interviewer.sanitize`: quotes are compared by their visible
# text, and format characters are invisible.
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
_SENTENCE_END = re.compile(r"(?<=[.!?;])\s+|(?<=[。！？；])\s*|\s*\n\s*")


@dataclass(frozen=True)
class Quote:
    """A quote from the answer, as typed. A short quote supports at most partial credit."""

    text: str
    is_short: bool


class QuotableAnswer:
    """Finds quotes in one answer. `asked` contains the question texts; merely repeating them is not evidence."""

    def __init__(self, answer: str, *asked: str) -> None:
        answer = answer.strip()
        self.is_cut = len(answer) > JUDGED_CHARACTERS_MAX
        self._text = answer[:JUDGED_CHARACTERS_MAX]
        self._folded, self._places = _fold(self._text)
        self._asked = [f" {' '.join(_words(text))} " for text in asked]
        self._sentences = _sentence_spans(self._text)
        self._instructions = [span for span in self._sentences if self._instructs(span)]

    @property
    def has_instruction(self) -> bool:
        """Return whether a sentence addresses the judge."""
        return bool(self._instructions)

    def check(self, quote: str) -> Quote | None:
        """Return the span of the answer that matches this quote, or None if the quote is not evidence."""
        span = self._find(_fold(quote[:_QUOTE_CHARS_MAX])[0].strip())
        if span is None or any(span[0] < stop and start < span[1] for start, stop in self._instructions):
            return None
        text = self._text[span[0] : span[1]]
        words = _words(text)
        if not words or any(f" {' '.join(words)} " in asked for asked in self._asked):
            return None
        return Quote(text, is_short=_content_size(words) < _CONTENT_WORDS_MIN)

    def numbered(self) -> str:
        """Return the sentences for the judge, one per line, numbered, and without invisible characters."""
        lines = [visible(self._text[start:stop]) for start, stop in self._sentences]
        return "\n".join(f"s{number}: {line}" for number, line in enumerate((line for line in lines if line), start=1))

    def _instructs(self, span: tuple[int, int]) -> bool:
        text = self._text[span[0] : span[1]]
        return is_instruction(Sentence(text, normalize(visible(text))))

    def _find(self, folded: str) -> tuple[int, int] | None:
        """Return the span of the original text that matches, extended to whole words; None if there is none."""
        if not folded:
            return None
        start = self._folded.find(folded)
        span = (start, start + len(folded)) if start >= 0 else nearest(folded, self._folded)
        if span is None:
            return None
        first, last = self._places[span[0]], self._places[span[1] - 1] + 1
        while first > 0 and _is_inside_word(self._text, first):
            first -= 1
        while last < len(self._text) and _is_inside_word(self._text, last):
            last += 1
        return first, last


def without_middle(text: str, chars_max: int, mark: str) -> str:
    """Return the text; if it is longer than `chars_max`, replace its middle with `mark`.

    The part that is kept at the start is twice as long as the part that is kept at the end.
    """
    if len(text) <= chars_max:
        return text
    end = chars_max // 3
    return f"{text[: chars_max - end]}{mark}{text[-end:]}"


def visible(text: str) -> str:
    """Return the text on one line, NFKC-normalized, without control or zero-width characters."""
    shown = (
        " " if char.isspace() else char for char in text if char.isspace() or unicodedata.category(char) not in _UNSEEN
    )
    return " ".join(unicodedata.normalize("NFKC", "".join(shown)).split())


def nearest(quote: str, text: str) -> tuple[int, int] | None:
    """Return the span of the text with the smallest edit distance to the quote.

    Return None if the distance is more than a tenth of the quote's length. Source: Sellers 1980, approximate matching
    by dynamic programming; each cell also stores where its match begins.
    """
    most = int(len(quote) * _EDITED_SHARE)
    size = len(quote) // (most + 1)
    # After at most `most` edits, at least one of the `most` + 1 pieces is unchanged. Searching for unchanged pieces
    # quickly rejects nearly every made-up quote.
    windows: list[tuple[int, int]] = []
    for at in range(0, size * (most + 1), size) if most else ():
        places = itertools.islice(_places(quote[at : at + size], text), _OCCURRENCES_MAX)
        windows += [(max(0, place - at - most), min(len(text), place - at + len(quote) + most)) for place in places]
    found = [
        (edits, start + first, stop + first)
        for first, last in _merged(windows)
        for edits, start, stop in [_nearest_in(quote, text[first:last])]
    ]
    edits, start, stop = min(found, default=(most + 1, 0, 0))
    return (start, stop) if edits <= most and start < stop else None


def _places(piece: str, text: str) -> Iterator[int]:
    place = text.find(piece)
    while place >= 0:
        yield place
        place = text.find(piece, place + 1)


def _merged(windows: list[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for first, last in sorted(windows):
        if merged and first <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(last, merged[-1][1]))
        else:
            merged.append((first, last))
    return merged


def _nearest_in(quote: str, text: str) -> tuple[int, int, int]:
    """Return the minimum number of edits that turn the quote into a span of the text, and that span."""
    row = [(0, at) for at in range(len(text) + 1)]
    for letter_index, letter in enumerate(quote, start=1):
        above, row = row, [(letter_index, 0)]
        for at, other in enumerate(text, start=1):
            kept = above[at - 1] if letter == other else (above[at - 1][0] + 1, above[at - 1][1])
            dropped, added = above[at], row[at - 1]
            row.append(min(kept, (dropped[0] + 1, dropped[1]), (added[0] + 1, added[1])))
    stop = min(range(len(row)), key=lambda at: row[at][0])
    return *row[stop], stop


def _is_inside_word(text: str, place: int) -> bool:
    """Return whether the characters before and after this index belong to the same word."""
    around = text[place - 1 : place + 1]
    return all(map(str.isalnum, around)) and not _UNSPACED.search(around)


def _content_size(words: Sequence[str]) -> int:
    """Return the number of different content words, estimated from the characters in text without spaces."""
    spaced = [word for word in words if not _UNSPACED.search(word)]
    characters = set(_UNSPACED.findall("".join(words)))
    return len(set(content_stems(spaced))) + len(characters) // _CHARS_PER_WORD


def _fold(text: str) -> tuple[str, list[int]]:
    """Normalize case, accents and whitespace; also return each character's index in the original text."""
    letters: list[str] = []
    places: list[int] = []
    for place, char in enumerate(text):
        if char.isspace():
            folded = "" if letters and letters[-1] == " " else " "
        else:
            # Decomposing each character separately gives the same result as decomposing the whole text; this does not
            # hold for composing.
            unseen = unicodedata.category(char) in _UNSEEN
            folded = "" if unseen else unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", char).casefold())
        letters.extend(folded)
        places.extend([place] * len(folded))
    return "".join(letters), places


def _words(text: str) -> tuple[str, ...]:
    return words_of(normalize(visible(text)))


def _sentence_spans(text: str) -> list[tuple[int, int]]:
    starts, stops = [0], []
    for border in _SENTENCE_END.finditer(text):
        stops.append(border.start())
        starts.append(border.end())
    return list(zip(starts, [*stops, len(text)], strict=True))
