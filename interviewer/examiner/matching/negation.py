"""Decide whether a sentence negates the words that a phrasing matched, or reports them only to reject them.

Negation is detected by word distance, not by parsing. A reported statement is treated as a claim unless the sentence
rejects it: "many papers say X" claims X, and "people say X, but it is wrong" does not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

# How many of the following words a negation affects: "does not" affects the words up to the verb; "without" affects
# only the thing it names.
_REACH_OF_VERB = 3
_REACH_OF_NOUN = 2
_VERB_NEGATIONS = frozenset({"not", "never", "cannot", "nor", "neither", "nothing"})
_NOUN_NEGATIONS = frozenset({"no", "without"})
# A second pass skips these words, so that "does not run at the same rate" is read as "not the same rate".
_FILLERS = frozenset({"a", "an", "the", "any", "at", "on", "in", "of", "for", "to", "by", "be", "been", "really"})
_NO_NEGATION = re.compile(r"\b(?:not (?:only|just|merely|simply)|no (?:matter|doubt)|why not)\b")
_NO_NEED = re.compile(r"\bno (?:need|use|reason|point) (?:for|to|in|of)\b")
# The speaker does not assert the words that follow one of these phrases.
_PUT_ASIDE = re.compile(r"\b(?:rather than|instead of|as opposed to)\b")
_PUTS_ASIDE_ITSELF = re.compile(r"rather|instead|opposed")
_CLAUSE_BORDER = re.compile(r"[,:()]|\b(?:but|because|so|since|instead|rather|hence|therefore)\b")
# "CUDA IPC handles are not used", "the load does not matter": a negation may follow the words it negates.
_DENIED_AFTER = re.compile(
    r"\W*(?:\w+\W+){0,4}?"
    r"(?:(?:is|are|was|were|do|does|did|can|could|will|would|needs?|has|have|should|may|must|matters?)\s+(?:\w+\s+)?"
    r"(?:not|never|no|nothing|useless|irrelevant|pointless)\b|\w+n't\b|cannot\b"
    r"|(?:adds?|tells?|changes?|buys?|gains?|makes?|plays?)\s+(?:nothing|no (?:information|difference|role))\b)"
)
# Matches text whose first words are dismissed as irrelevant: "assumptions do not matter for the bytes".
_WAVED_AWAY = re.compile(
    r"(?:\W*\w+){1,4}?\W+(?:(?:do|does|did)(?: not|n't) matter|(?:is|are) (?:irrelevant|pointless|useless))\b"
)
# A negation that comes after one of these words refers to something else: "it is biased and has no trust region".
_NEXT_CLAIM = re.compile(_CLAUSE_BORDER.pattern + r"|\b(?:and|as|which|that|while|whereas|though|although|when|if)\b")
_IN_PHRASING = re.compile(r"\b(not|never|no|without|cannot|nor|neither|nothing)\b|n['’.\[][^a-z]*t\b")
# Words inside a phrasing's negative lookarounds are not treated as words that the phrasing requires.
_RULES_OUT = re.compile(r"\(\?<?!")
_BRACKET = re.compile(r"\\.|\[[^\]]*\]|[()]")
_WORD = re.compile(r"[\w'’]+")
_PEOPLE = (
    r"(?:(?:some|many|most|other)(?: (?:people|folks|papers|posts|engineers|teams|guides|textbooks))?"
    r"|people|folks|others|textbooks)"
)
_OFTEN = (
    r"(?: (?:often|sometimes|usually|always|commonly|widely|frequently|wrongly|still|like to|will|would|may|might))*"
)
_REPORT = re.compile(
    rf"\b{_PEOPLE}{_OFTEN} (?:say|claim|think|believe|assume|argue|expect|read|picture|imagine|insist)\b"
    r"|\b(?:you|one) (?:might|may|could|would) (?:say|think|believe|assume|expect)\b"
    rf"|\b(?:it|that)(?:'s| is| was){_OFTEN} (?:said|claimed|thought|believed|assumed|argued|expected|taught)\b"
    r"|\bthe (?:usual|common|popular|standard) (?:claim|belief|story)\b"
)
_TURN = re.compile(r"\b(?:but|however|in fact|in reality|in truth|actually)\b")
_IT_IS = r"(?:it|that|this|they)(?:'s| is| was|'re| are)(?: just| simply| plainly)?"
_IT_IS_NOT = rf"(?:{_IT_IS} not|(?:it|that|this|they) (?:isn't|aren't|wasn't))"
# These phrases reject a claim even if it was not attributed to somebody else: "X, but that is not so", "X, but it
# doesn't: ...".
_VERDICT = re.compile(
    r"\bbut (?:really |actually |in fact )?(?:"
    rf"{_IT_IS} (?:wrong|false|untrue|incorrect|nonsense|pointless|needless|useless|a myth|a mistake)"
    rf"|{_IT_IS_NOT} (?:so|true|right|correct|the case)"
    r"|(?:it|that|this|they) (?:\w+n't|cannot|(?:do|does|did|is|are|was) not)|no)(?=[:;,.]|$)"
    r"|\bi(?: would|'d)? (?:disagree|reject that)\b"
)


def has_negation(text: str) -> bool:
    """Return whether the normalized text contains a negation."""
    return bool(_negations(text))


def is_any_denied(hits: Sequence[re.Match[str]], rejected_prefix_end: int = 0) -> bool:
    """Return whether a sentence negates at least one match, or repeats all matched claims only to reject them.

    If a phrasing itself contains a negation, this negation negates neither the phrasing's own match nor a match that
    overlaps the beginning of that match: "rounding is not associative" is matched as a whole, so its "not" does not
    negate the match `rounding`.
    """
    hits = [hit for hit in hits if _claim_begins(hit) >= rejected_prefix_end]
    if not hits:
        return True
    asked_for = [hit for hit in hits if _negations(hit.group()) & _claimed(hit.re.pattern)]
    return any(_is_denied(hit, asked_for) for hit in hits if hit not in asked_for)


def _claim_begins(hit: re.Match[str]) -> int:
    """Return the offset at which the claim begins.

    With a guard such as `^(?!...).*`, the match starts where the sentence starts.
    """
    is_guarded = hit.re.pattern.startswith("^(?")
    return min((start for start, _ in hit.regs[1:] if start >= 0), default=0) if is_guarded else hit.start()


def _is_denied(hit: re.Match[str], asked_for: Sequence[re.Match[str]]) -> bool:
    is_said_as_whole = any(_goes_on_as(hit, other) for other in asked_for)
    if (_is_denied_after(hit) and not is_said_as_whole) or _WAVED_AWAY.match(hit.group()):
        return True
    if not _negations(hit.group()):
        return _is_denied_before(_tightest(hit) if _PUT_ASIDE.search(hit.group()) else hit)
    # "is not more expensive with more engines": a greedy phrasing skips the negated "more" and matches the last one.
    tight = _tightest(hit)
    goes_on = _CLAUSE_BORDER.search(hit.string, tight.end(), hit.end())
    return _is_denied_before(tight) and (not goes_on or _is_denied_before(hit))


def _negations(text: str) -> set[str]:
    words = _WORD.findall(_NO_NEGATION.sub(" ", text))
    return {"not" if _is_not(word) else word for word in words if _reach(word)}


@cache
def _claimed(phrasing: str) -> frozenset[str]:
    asked_for = _without_ruled_out(phrasing).replace(r"\b", " ")
    return frozenset("not" if word in ("", "cannot") else word for word in _IN_PHRASING.findall(asked_for))


def _without_ruled_out(phrasing: str) -> str:
    kept, start = "", 0
    while lookaround := _RULES_OUT.search(phrasing, start):
        kept += phrasing[start : lookaround.start()]
        start, depth = lookaround.end(), 1
        while depth and (bracket := _BRACKET.search(phrasing, start)):
            start = bracket.end()
            depth += {"(": 1, ")": -1}.get(bracket.group(), 0)
    return kept + phrasing[start:]


def _tightest(hit: re.Match[str]) -> re.Match[str]:
    for word in _WORD.finditer(hit.string, hit.start(), hit.end()):
        tight = hit.re.fullmatch(hit.string, hit.start(), word.end())
        if tight:
            return tight
    return hit


def _is_denied_before(hit: re.Match[str]) -> bool:
    # "the gradient does not survive": the negation is inside the match, before the word captured by a group.
    words = hit.group().strip()
    first = hit.start() + hit.group().find(words)
    places = {first, first + words.rfind(" ") + 1}
    places |= {hit.start(number) for number in range(1, hit.re.groups + 1) if hit.start(number) >= 0}
    text = hit.string if _PUTS_ASIDE_ITSELF.search(hit.re.pattern) else _PUT_ASIDE.sub(_as_negation, hit.string)
    return any(_is_denied_at(text, place) for place in places)


def _as_negation(put_aside: re.Match[str]) -> str:
    """Return ",not", padded to the match's length so that offsets stay valid; the comma ends the preceding clause."""
    return ",not".ljust(len(put_aside.group()))


def _is_denied_after(hit: re.Match[str]) -> bool:
    text = _NO_NEGATION.sub(lambda match: " " * len(match.group()), hit.string)
    border = _NEXT_CLAIM.search(text, hit.end())
    return bool(_DENIED_AFTER.match(text, hit.end(), border.start() if border else len(text)))


def _goes_on_as(hit: re.Match[str], other: re.Match[str]) -> bool:
    is_longer = hit.start() <= other.start() < hit.end() < other.end()
    return is_longer and not _NEXT_CLAIM.search(hit.string, hit.end(), other.end())


def _is_denied_at(text: str, place: int) -> bool:
    before = _NO_NEED.sub(" not ", _NO_NEGATION.sub(" ", text[:place]))
    clause = _CLAUSE_BORDER.split(before)[-1]
    # A match may begin inside a word ("unbounded" for `bounded`): the part of the word before the match is not a
    # separate word.
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


def rejected_prefix_end(text: str, following: str) -> int:
    """Return the offset where a reported claim ends, if this sentence or the `following` one rejects that claim.

    Both texts are normalized. The offset is 0 if nothing is rejected.
    """
    if verdict := _VERDICT.search(text):
        return verdict.start()
    report = _REPORT.search(text)
    if not report:
        return 0
    if turn := _TURN.search(text, report.end()):
        return turn.start()
    return len(text) if _TURN.match(following) else 0
