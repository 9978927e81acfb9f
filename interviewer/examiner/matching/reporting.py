"""Find what a sentence only reports in order to reject it: "people say X, but it is wrong" does not claim X.

A report without a rejection is a claim: "many papers say X" and "I have read X, but never tried it" stay heard.
"""

from __future__ import annotations

import re

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
# Without a report, too: "X, but that is not so", "X, but it doesn't: ...".
_VERDICT = re.compile(
    r"\bbut (?:really |actually |in fact )?(?:"
    rf"{_IT_IS} (?:wrong|false|untrue|incorrect|nonsense|pointless|needless|useless|a myth|a mistake)"
    rf"|{_IT_IS_NOT} (?:so|true|right|correct|the case)"
    r"|(?:it|that|this|they) (?:\w+n't|cannot|(?:do|does|did|is|are|was) not)|no)(?=[:;,.]|$)"
    r"|\bi(?: would|'d)? (?:disagree|reject that)\b"
)


def rejected_until(text: str, following: str) -> int:
    """Return up to which character a normalized sentence reports what it, or the `following` sentence, rejects."""
    if verdict := _VERDICT.search(text):
        return verdict.start()
    report = _REPORT.search(text)
    if not report:
        return 0
    if turn := _TURN.search(text, report.end()):
        return turn.start()
    return len(text) if _TURN.match(following) else 0
