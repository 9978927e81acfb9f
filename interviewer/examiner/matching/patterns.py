"""Match phrasings in an answer; a match that the sentence negates is never treated as stated."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache

from interviewer.examiner.matching.negation import is_any_denied
from interviewer.examiner.matching.sentences import Sentence

# Used only for misconceptions: a candidate who calls a belief wrong does not hold that belief.
_DISTANCE = re.compile(
    r"\b(?:is|are|was|be|it's|that's) (?:simply |just |plainly )?(?:wrong|false|incorrect|not true)\b|\bmyth\b"
    r"|\bwrong to (?:think|say|believe|assume)\b|\b(?:common|usual) (?:mistake|misconception|error|confusion)\b"
    r"|\b(?:people|some|many) (?:often |sometimes |wrongly )?(?:think|say|believe|assume)\b"
    r"|\b(?:one|you) (?:might|may|could) (?:think|believe|say)\b"
)


_ESCAPE = re.compile(r"\\.")


@cache
def compiled(phrasing: str) -> re.Pattern[str]:
    """Return the compiled phrasing; each phrasing is compiled once per process."""
    return re.compile(phrasing, _flags_for(phrasing))


def _flags_for(phrasing: str) -> re.RegexFlag:
    """Return IGNORECASE only for phrasings with capitals: it doubles the matching time, and sentences are lowercase."""
    literal = _ESCAPE.sub("", phrasing)
    return re.NOFLAG if literal == literal.lower() else re.IGNORECASE


@cache
def _any_of(shows: tuple[str, ...]) -> re.Pattern[str] | None:
    """Return one pattern that matches wherever any phrasing does, so that one search replaces one search per phrasing.

    Return None if a phrasing refers to a group by number, because joining the phrasings would change the numbers.
    """
    if any(re.search(r"\\[1-9]", phrasing) for phrasing in shows):
        return None
    joined = "|".join(f"(?:{phrasing})" for phrasing in shows)
    return re.compile(joined, _flags_for(joined))


def first_match(shows: Sequence[str], sentences: Iterable[Sentence]) -> Sentence | None:
    """Return the first sentence that a phrasing matches and that does not negate the match."""
    return _first(shows, sentences, denied=False)


def first_denied_match(shows: Sequence[str], sentences: Iterable[Sentence]) -> Sentence | None:
    """Return the first sentence that negates a phrasing's match."""
    return _first(shows, sentences, denied=True)


def first_stated(shows: Sequence[str], sentences: Iterable[Sentence]) -> Sentence | None:
    """Return the first sentence that states a belief without denying it or calling it wrong."""
    return first_match(shows, (sentence for sentence in sentences if not _DISTANCE.search(sentence.text)))


def _first(shows: Sequence[str], sentences: Iterable[Sentence], *, denied: bool) -> Sentence | None:
    """If `denied`, return the first sentence that negates a match, else the first that asserts all of its matches.

    A candidate who states half of a point and denies the other half has not stated the point.
    """
    any_of = _any_of(tuple(shows))
    for sentence in sentences:
        if any_of is not None and not any_of.search(sentence.text):
            continue
        hits = [hit for phrasing in shows for hit in compiled(phrasing).finditer(sentence.text)]
        if hits and is_any_denied(hits, sentence.rejected_prefix_end) == denied:
            return sentence
    return None
