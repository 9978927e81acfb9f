"""Hears phrasings in an answer; a hit that the candidate negates is never heard as said."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache

from interviewer.bank.sentences import Sentence

# How many words a negation reaches forward: "does not" reaches the verb, "without" only what it names.
_REACH_OF_VERB = 3
_REACH_OF_NOUN = 2
_VERB_NEGATIONS = frozenset({"not", "never", "cannot", "nor", "neither", "nothing"})
_NOUN_NEGATIONS = frozenset({"no", "without"})
# "does not run at the same rate" reaches as far as "not the same rate": these words are stepped over once.
_FILLERS = frozenset({"a", "an", "the", "any", "at", "on", "in", "of", "for", "to", "by", "be", "been", "really"})
_TYPED_WITHOUT_APOSTROPHE = frozenset(
    {"dont", "doesnt", "didnt", "isnt", "arent", "wasnt", "wont", "cant", "couldnt", "wouldnt", "shouldnt"}
)
_NO_NEGATION = re.compile(r"\b(?:not (?:only|just|merely|simply)|no (?:matter|doubt)|why not)\b")
_NO_NEED = re.compile(r"\bno (?:need|use|reason|point) (?:for|to|in|of)\b")
_CLAUSE_BORDER = re.compile(r"[,:()]|\b(?:but|because|so|since|instead|rather|hence|therefore)\b")
_NEGATION_IN_PHRASING = re.compile(r"\b(?:not|never|no|without|cannot|nor|neither|nothing|none)\b|n['’.\[][^a-z]*t\b")
_WORD = re.compile(r"[\w'’]+")
# For beliefs only: who calls a belief wrong does not hold it.
_DISTANCE = re.compile(
    r"\b(?:is|are|was|be|it's|that's) (?:simply |just |plainly )?(?:wrong|false|incorrect|not true)\b|\bmyth\b"
    r"|\bwrong to (?:think|say|believe|assume)\b|\b(?:common|usual) (?:mistake|misconception|error|confusion)\b"
    r"|\b(?:people|some|many) (?:often |sometimes |wrongly )?(?:think|say|believe|assume)\b"
    r"|\b(?:one|you) (?:might|may|could) (?:think|believe|say)\b"
)


@cache
def compiled(phrasing: str) -> re.Pattern[str]:
    """Return the compiled phrasing; each is compiled once in the life of the program."""
    return re.compile(phrasing, re.IGNORECASE)


def first_said(shows: Sequence[str], sentences: Iterable[Sentence]) -> Sentence | None:
    """Return the first sentence that a phrasing hits without negation."""
    return _first(shows, sentences, negated=False)


def first_denied(shows: Sequence[str], sentences: Iterable[Sentence]) -> Sentence | None:
    """Return the first sentence that a phrasing hits under a negation."""
    return _first(shows, sentences, negated=True)


def first_believed(shows: Sequence[str], sentences: Iterable[Sentence]) -> Sentence | None:
    """Return the first sentence that states a belief, and neither negates it nor calls it wrong."""
    return first_said(shows, (one for one in sentences if not _DISTANCE.search(one.text)))


def has_negation(text: str) -> bool:
    """Tell whether a word of the normalised text negates."""
    return any(_reach(word) for word in _WORD.findall(_NO_NEGATION.sub(" ", text)))


def _first(shows: Sequence[str], sentences: Iterable[Sentence], *, negated: bool) -> Sentence | None:
    for sentence in sentences:
        for phrasing in shows:
            for hit in compiled(phrasing).finditer(sentence.text):
                if _is_negated(hit, _claims_negation(phrasing)) == negated:
                    return sentence
    return None


@cache
def _claims_negation(phrasing: str) -> bool:
    return bool(_NEGATION_IN_PHRASING.search(phrasing))


def _is_negated(hit: re.Match[str], claims_negation: bool) -> bool:
    if claims_negation and has_negation(hit.group()):
        return False
    # "the gradient does not survive": the negation stands inside the hit, before the word that a group caught.
    words = hit.group().strip()
    first = hit.start() + hit.group().find(words)
    places = {first, first + words.rfind(" ") + 1}
    places |= {hit.start(number) for number in range(1, hit.re.groups + 1) if hit.start(number) >= 0}
    return any(_is_negated_at(hit.string, place) for place in places)


def _is_negated_at(text: str, place: int) -> bool:
    before = _NO_NEED.sub(" not ", _NO_NEGATION.sub(" ", text[:place]))
    clause = _CLAUSE_BORDER.split(before)[-1]
    # A hit may begin inside a word ("unbounded" for `bounded`): the piece before it is no word of its own.
    words = _WORD.findall(clause[: clause.rfind(" ") + 1])
    strong = [word for word in words if word not in _FILLERS]
    return _is_reached(words, 0) or _is_reached(strong, 1)


def _is_reached(words: Sequence[str], shorter: int) -> bool:
    return any(_reach(word) - shorter >= distance for distance, word in enumerate(reversed(words[-3:]), start=1))


def _reach(word: str) -> int:
    if word in _VERB_NEGATIONS or word.endswith(("n't", "n’t")) or word in _TYPED_WITHOUT_APOSTROPHE:
        return _REACH_OF_VERB
    return _REACH_OF_NOUN if word in _NOUN_NEGATIONS else 0
