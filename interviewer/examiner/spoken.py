"""Checks what a model says before it is shown: no open point, no grade, one question, and the bank's question whole.

A fault costs nothing but style: the bank's own words are said instead.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from interviewer.chat.failures import without_keys
from interviewer.examiner.matching.patterns import compiled
from interviewer.examiner.matching.sentences import split_sentences
from interviewer.session.question import Point

_SENTENCES_MAX = 3
_LEAD_IN_CHARS_MAX = 240
_STRETCH = 1.5
# A digit inside a name (fp8, H100) is no number.
_NUMBER = re.compile(r"(?<![A-Za-z_\d.,])\d+(?:[.,]\d+)*")
# Where listening to answers ends a sentence, this does: a phrasing lies within one piece.
_SENTENCE = re.compile(r".*?(?:[.!?;。！？][\"'”’)\]]*\s+|\n\s*)", re.DOTALL)
_QUALITY = r"(?:great|good|nice|excellent|perfect|strong|solid|impressive|brilliant|fantastic|wonderful|weak|poor|bad)"
# Said of an answer these are a grade; "what exactly" and "is that right?" are questions.
_GRADE = re.compile(
    rf"\b{_QUALITY} (?:answer|point|job|work|start|explanation|thinking|catch|observation|one|stuff)\b"
    r"|\bwell (?:done|put|said|explained)\b|\b(?:spot|dead) on\b|\bnailed it\b|\bon the right track\b|\bnot quite\b"
    r"|\b(?:that is|that's|you are|you're|this is|it is|it's|which is) (?:\w+ )?"
    r"(?:right|correct|wrong|incorrect|true|false|mistaken)\b"
    r"|\byou(?:'re| are| have|'ve)? (?:missed|forgot|forgotten|missing)\b"
    rf"|(?:^|[.!?;:]\s+)(?:correct|incorrect|right|wrong|exactly|precisely|almost|yes|no|{_QUALITY})\s*(?:[,.!;:—–-]|$)",
    re.IGNORECASE,
)


def sentence_end(text: str) -> int:
    """Return where the first whole sentence of the text ends, 0 while it goes on."""
    found = _SENTENCE.match(text)
    return found.end() if found else 0


def gives_grade(text: str) -> bool:
    """Return whether the words say how good an answer was."""
    return bool(_GRADE.search(text))


class SpokenCheck:
    """Check one model's wording of the bank's `words`.

    `open_points` are those that the candidate has not shown; `heard` is what they said, whose numbers may be taken up.
    `chars_max` is how long the whole may be.
    """

    def __init__(self, words: str, open_points: Sequence[Point], heard: str = "") -> None:
        self._words = words
        self._shows = [phrasing for point in open_points for phrasing in point.shows if not _hits(phrasing, words)]
        self._numbers = set(_NUMBER.findall(words))
        self._known_numbers = self._numbers | set(_NUMBER.findall(heard))
        self._questions_max = max(1, words.count("?"))
        self._sentences_max = max(_SENTENCES_MAX, len(split_sentences(words)) + 1)
        self.chars_max = int(_STRETCH * len(words)) + _LEAD_IN_CHARS_MAX

    def fault(self, said: str) -> str:
        """Return what is wrong with the words so far, "" when they may be shown."""
        found = {
            "says an open point": any(_hits(phrasing, said) for phrasing in self._shows),
            "gives a grade": gives_grade(said) and not gives_grade(self._words),
            "asks more than one thing": said.count("?") > self._questions_max,
            "goes on too long": len(said) > self.chars_max or len(split_sentences(said)) > self._sentences_max,
            "brings in a number": not self._known_numbers.issuperset(_NUMBER.findall(said)),
            "holds a key": without_keys(said, os.environ) != said,
        }
        return next((fault for fault, holds in found.items() if holds), "")

    def lacks(self, said: str) -> str:
        """Return what the whole of the words leaves out of the bank's, "" when it is the same question."""
        if "?" in self._words and "?" not in said:
            return "asks nothing"
        # The answer is judged against the bank's question: another premise would be another question.
        return "" if self._numbers.issubset(_NUMBER.findall(said)) else "leaves out a number"


def _hits(phrasing: str, text: str) -> bool:
    return any(compiled(phrasing).search(sentence.text) for sentence in split_sentences(text))
