"""Tells whether the words that a phrasing hit are denied by their sentence; a guess by distance, never by grammar."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

# How many words a negation reaches forward: "does not" reaches the verb, "without" only what it names.
_REACH_OF_VERB = 3
_REACH_OF_NOUN = 2
_VERB_NEGATIONS = frozenset({"not", "never", "cannot", "nor", "neither", "nothing"})
_NOUN_NEGATIONS = frozenset({"no", "without"})
# "does not run at the same rate" reaches as far as "not the same rate": these words are stepped over once.
_FILLERS = frozenset({"a", "an", "the", "any", "at", "on", "in", "of", "for", "to", "by", "be", "been", "really"})
_NO_NEGATION = re.compile(r"\b(?:not (?:only|just|merely|simply)|no (?:matter|doubt)|why not)\b")
_NO_NEED = re.compile(r"\bno (?:need|use|reason|point) (?:for|to|in|of)\b")
_CLAUSE_BORDER = re.compile(r"[,:()]|\b(?:but|because|so|since|instead|rather|hence|therefore)\b")
_IN_PHRASING = re.compile(r"\b(not|never|no|without|cannot|nor|neither|nothing)\b|n['’.\[][^a-z]*t\b")
_WORD = re.compile(r"[\w'’]+")


def has_negation(text: str) -> bool:
    """Tell whether a word of the normalised text negates."""
    return bool(_negations(text))


def is_denied(hit: re.Match[str]) -> bool:
    """Tell whether what a phrasing hit is denied; a negation that the phrasing itself asks for denies nothing."""
    inside = _negations(hit.group())
    if inside & _claimed(hit.re.pattern):
        return False
    if not inside:
        return _is_denied_before(hit)
    # "is not more expensive with more engines": a greedy phrasing jumps over the denied word to its last repetition.
    tight = _tightest(hit)
    goes_on = _CLAUSE_BORDER.search(hit.string, tight.end(), hit.end())
    return _is_denied_before(tight) and (not goes_on or _is_denied_before(hit))


def _negations(text: str) -> set[str]:
    words = _WORD.findall(_NO_NEGATION.sub(" ", text))
    return {"not" if _is_not(word) else word for word in words if _reach(word)}


@cache
def _claimed(phrasing: str) -> frozenset[str]:
    return frozenset("not" if found in ("", "cannot") else found for found in _IN_PHRASING.findall(phrasing))


def _tightest(hit: re.Match[str]) -> re.Match[str]:
    for word in _WORD.finditer(hit.string, hit.start(), hit.end()):
        tight = hit.re.fullmatch(hit.string, hit.start(), word.end())
        if tight:
            return tight
    return hit


def _is_denied_before(hit: re.Match[str]) -> bool:
    # "the gradient does not survive": the negation stands inside the hit, before the word that a group caught.
    words = hit.group().strip()
    first = hit.start() + hit.group().find(words)
    places = {first, first + words.rfind(" ") + 1}
    places |= {hit.start(number) for number in range(1, hit.re.groups + 1) if hit.start(number) >= 0}
    return any(_is_denied_at(hit.string, place) for place in places)


def _is_denied_at(text: str, place: int) -> bool:
    before = _NO_NEED.sub(" not ", _NO_NEGATION.sub(" ", text[:place]))
    clause = _CLAUSE_BORDER.split(before)[-1]
    # A hit may begin inside a word ("unbounded" for `bounded`): the piece before it is no word of its own.
    words = _WORD.findall(clause[: clause.rfind(" ") + 1])
    strong = [word for word in words if word not in _FILLERS]
    return _is_reached(words, 0) or _is_reached(strong, 1)


def _is_reached(words: Sequence[str], shorter: int) -> bool:
    return any(_reach(word) - shorter >= distance for distance, word in enumerate(reversed(words[-3:]), start=1))


def _is_not(word: str) -> bool:
    return word in ("not", "cannot") or word.endswith(("n't", "n’t"))


def _reach(word: str) -> int:
    if word in _VERB_NEGATIONS or _is_not(word):
        return _REACH_OF_VERB
    return _REACH_OF_NOUN if word in _NOUN_NEGATIONS else 0
