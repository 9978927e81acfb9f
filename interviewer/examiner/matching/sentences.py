"""Split an answer into sentences; each keeps its text verbatim and has a bounded length."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from interviewer.examiner.matching.negation import rejected_prefix_end
from interviewer.examiner.matching.shorthand import expand_shorthand

# This window size limits both the length of the quote and the cost of matching a phrasing that contains two `.*`.
MAX_CHARS = 300
# A line this long that does not end a sentence was wrapped by an editor, so its newline is treated as a space.
_WRAPPED_CHARS = 60

_BREAK = re.compile(
    r"(?P<stop>!(?!=)|[?;。！？；\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]"
    r"|(?<!\be\.g)(?<!\bi\.e)(?<!\bvs)(?<!\beq)(?<!\bcf)(?<!\bapprox)(?<!\bw\.r\.t)(?<!\bi\.i\.d)(?<!\bresp)"
    r"(?<!\bincl)(?<!\bdr)(?<!\bfig)\.(?=[\s)\"'\]]|$))|\n",
    re.IGNORECASE,
)
_BULLET = re.compile(r"[ \t]*([-*•]\s|\d{1,2}[.)]\s|\r?\n|$)")
# This set differs from the set of unsafe characters in `interviewer.sanitize`. Invisible characters must not prevent
# a phrasing from matching, so joiners, soft hyphens and variation selectors are removed as well. Control characters
# are not removed, because they count as the end of a sentence.
_INVISIBLE = re.compile(
    "[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e007f]"
)
_PLAIN = str.maketrans(
    {"‘": "'", "’": "'", "ʼ": "'", "“": '"', "”": '"', "−": "-", "–": "-", "—": ",", "‐": "-", "‑": "-", "`": " "}
    | {"×": "x", "·": "*", "⋅": "*", "∙": "*", "→": "->", "⇒": "=>"}
)
# NFKC would merge an exponent with its base: γⁿ must not become γn.
_SUPERSCRIPT = re.compile("[²³¹⁰⁴-⁻ⁿᵏᵗᵀ]+")
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")


@dataclass(frozen=True)
class Sentence:
    """One sentence: `quote` is the text as typed; `text` is the same text normalized for matching.

    Text before the offset `rejected_prefix_end` only reports other people's claims; text after this offset rejects
    them.
    """

    quote: str
    text: str
    rejected_prefix_end: int = 0

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Return the sentence's words in lowercase."""
        return words_of(self.text)


def words_of(text: str) -> tuple[str, ...]:
    """Return the words in a normalized text."""
    return tuple(_WORD.findall(text))


def normalize(text: str) -> str:
    """Return the text normalized for matching: NFKC, lowercase, plain punctuation, shorthand expanded."""
    raised = _SUPERSCRIPT.sub(lambda match: "^" + match.group(), _INVISIBLE.sub("", text).translate(_PLAIN))
    visible = unicodedata.normalize("NFKC", raised)
    return expand_shorthand(" ".join(visible.translate(_PLAIN).lower().split()))


def split_sentences(text: str) -> list[Sentence]:
    """Return the sentences that contain at least one word; a long sentence is split into overlapping windows."""
    quotes = [text[first:last].strip() for start, stop in _spans(text) for first, last in _windows(text, start, stop)]
    normalized = [(quote, normalize(quote)) for quote in quotes]
    followed = zip(normalized, [*(text for _, text in normalized[1:]), ""], strict=True)
    sentences = (Sentence(quote, text, rejected_prefix_end(text, following)) for (quote, text), following in followed)
    return [sentence for sentence in sentences if sentence.words]


def _spans(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for border in _BREAK.finditer(text):
        if border["stop"] is None and _is_wrapped(text, border.start()):
            continue
        # The period, question mark or semicolon is part of the quote; a newline or a control character is not.
        yield start, border.end() if text[border.start()] in ".!?;？" else border.start()
        start = border.end()
    yield start, len(text)


def _is_wrapped(text: str, newline: int) -> bool:
    line_start = text.rfind("\n", max(0, newline - _WRAPPED_CHARS - 1), newline)
    return line_start < 0 and newline >= _WRAPPED_CHARS and not _BULLET.match(text, newline + 1)


def _windows(text: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    while stop - start > MAX_CHARS:
        border = text.rfind(" ", start + MAX_CHARS // 2, start + MAX_CHARS)
        last = border if border > 0 else start + MAX_CHARS
        yield start, last
        # Windows overlap by half, so that a phrasing that crosses a window boundary still matches.
        middle = text.find(" ", start + MAX_CHARS // 2, last)
        start = middle + 1 if middle > 0 else last
    yield start, stop
