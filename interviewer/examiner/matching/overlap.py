"""Match points by phrasings and word stems; overlap alone earns at most partial credit, because it ignores syntax."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from interviewer.examiner.matching.negation import has_negation
from interviewer.examiner.matching.patterns import first_denied_match, first_match
from interviewer.examiner.matching.sentences import Sentence, normalize, words_of
from interviewer.session.assessment import PointState, State
from interviewer.session.question import Point

_OVERLAP = 0.5
_STEMS_AT_LEAST = 3
_WITHOUT_CONTENT = """
    a an the and or of to in on at by for from with as is are was were be been being it its this that these those
    they them their there here he she we us our you your i me my one ones which who whose what when where why how if
    then than so such do does did done has have had having can could may might must shall should will would not no
    never nor cannot without very much more most less least too also only just even still already again but because
    since while until about into over under between within each every all any some other another same own both
    either neither up down out off through per via like e.g i.e etc ok yes well really quite rather get gets got
    don't doesn't isn't aren't can't won't didn't use used uses using make makes made let lets say says
"""
_STOP_WORDS = frozenset(_WITHOUT_CONTENT.split())
# A longer ending comes before the shorter endings that it contains, because only the first ending that matches is
# removed from a word.
_ENDINGS_IN_ORDER = """
    izations isations ization isation ational ations ation ating ments ment ness ingly edly ities ity ively ive
    ates ated ate ings ing ied ies ers ors er or es ed ly al e s y
"""
_ENDINGS = tuple(_ENDINGS_IN_ORDER.split())
_STEM_LETTERS = 3


@cache
def stem(word: str) -> str:
    """Return the word without its ending, so that `clipping`, `clipped` and `clips` share a stem."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _STEM_LETTERS:
            word = word[: -len(ending)]
            break
    if len(word) > _STEM_LETTERS and word[-1] == word[-2]:
        return word[:-1]
    return word


def content_stems(words: Sequence[str]) -> list[str]:
    """Return the stems of the content words, in order."""
    return [stem(word) for word in words if word not in _STOP_WORDS]


def stems(text: str) -> frozenset[str]:
    """Return the stems of a text's content words."""
    return frozenset(content_stems(words_of(normalize(text))))


def match_point(
    point: Point, sentences: Sequence[Sentence], asked: frozenset[str], weak: Sequence[Sentence] = ()
) -> PointState:
    """Return the state of a point in an answer.

    `weak` sentences (lists of terms, questions) earn at most partial credit. `asked` contains the stems of the
    question's text, which count neither for nor against an overlap.
    """
    shown = first_match(point.shows, sentences)
    if shown:
        return PointState(point.id, State.SHOWN, shown.quote)
    denied = first_denied_match(point.shows, sentences)
    if denied:
        return PointState(point.id, State.CONTRADICTED, denied.quote)
    near = first_match(point.shows, weak) or _overlapping(point, sentences, asked)
    if near:
        return PointState(point.id, State.PARTIAL, near.quote)
    return PointState(point.id, State.MISSING)


def _overlapping(point: Point, sentences: Sequence[Sentence], asked: frozenset[str]) -> Sentence | None:
    wanted = stems(point.for_judge) - asked
    negates = has_negation(normalize(point.for_judge))
    for sentence in sentences:
        shared = len(wanted.intersection(content_stems(sentence.words)))
        # The same words with and without "not" mean opposite things.
        if shared >= max(_STEMS_AT_LEAST, _OVERLAP * len(wanted)) and has_negation(sentence.text) == negates:
            return sentence
    return None
