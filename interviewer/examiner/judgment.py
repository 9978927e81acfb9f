"""Parses and checks a judge's reply; a point's state is lowered if no verbatim quote supports it.

UnusableReply               the reply is not a judgment; the message tells the judge how to repair it
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any

from interviewer.examiner.model_text import json_objects
from interviewer.examiner.quotes import QuotableAnswer, Quote
from interviewer.sanitize import MASKED_KEY, masker, one_line
from interviewer.session.assessment import QUOTES_JOINT, Belief, PointState, State
from interviewer.session.question import Question

_JUDGED_FLAGS = ("instruction", "echo", "keywords", "off_topic", "does_not_know")
ASKS_BACK = "asks_back"
FLAGS = (*_JUDGED_FLAGS, ASKS_BACK)
# Points that a reply omits are treated as missing, which keeps replies short.
_STATES = (State.SHOWN, State.PARTIAL, State.CONTRADICTED)
_QUOTES_MAX = 4
_PARTIAL_QUOTES_MAX = 2
_WHY_CHARS_MAX = 200


class UnusableReply(Exception):
    """A reply could not be used; the message names the key, the expected value and the actual value."""


@dataclass(frozen=True)
class Vote:
    """One checked judgment. `open_points` are the points that a single vote does not settle.

    `retracted` are credited points that the answer withdraws. `asks` is the candidate's question to the interviewer.
    """

    points: Mapping[str, PointState]
    beliefs: tuple[Belief, ...]
    flags: tuple[str, ...]
    open_points: tuple[str, ...] = ()
    retracted: tuple[str, ...] = ()
    asks: str = ""

    @property
    def is_doubtful(self) -> bool:
        """Return whether more votes are needed.

        A single vote must not trigger the question that exposes a misconception, because that question accuses the
        candidate of an error. A single vote must not remove credit either.
        """
        return bool(self.open_points or self.beliefs or self.retracted)


def judgment_schema(question: Question) -> dict[str, Any]:
    """Return the strict JSON schema of a judgment: quotes come before the state, and there is no score field."""
    text = {"type": "string"}
    point = _object(
        id=_one_of(point.id for point in question.points),
        quotes=_list(text),
        why=text,
        state=_one_of(_STATES),
    )
    # A JSON schema does not allow an empty enum.
    belief = _one_of(misconception.id for misconception in question.misconceptions) if question.misconceptions else text
    return _object(
        points=_list(point),
        misconceptions=_list(_object(id=belief, quote=text)),
        retracts=_list(_object(id=_one_of(point.id for point in question.points), quote=text)),
        asks=text,
        flags=_list(_one_of(_JUDGED_FLAGS)),
    )


def parse_vote(reply: str, question: Question, answer: QuotableAnswer, credited: Sequence[str] = ()) -> Vote:
    """Parse a reply into a checked vote; only `credited` points can be retracted.

    Raises UnusableReply if the reply is not a judgment.
    """
    judged = _judged_object(reply)
    claims = _claims(judged, [point.id for point in question.points])
    checked = {name: _supported(name, state, quotes, answer) for name, (state, quotes, _) in claims.items()}
    points = {
        name: replace(point, why=claims[name][2]) if point.quote else point for name, (point, _) in checked.items()
    }
    flags = judged.get("flags", [])
    asked = judged.get("asks")
    asks = answer.check(asked) if isinstance(asked, str) and asked.strip() else None
    claimed = {name for name, point in points.items() if point.state.credit}
    return Vote(
        points=points,
        beliefs=_quoted(judged.get("misconceptions", []), {belief.id for belief in question.misconceptions}, answer),
        flags=tuple(flag for flag in _JUDGED_FLAGS if isinstance(flags, list) and flag in flags)
        + ((ASKS_BACK,) if asks else ()),
        retracted=tuple(found.id for found in _quoted(judged.get("retracts", []), {*credited} - claimed, answer)),
        asks=asks.text if asks else "",
        open_points=tuple(
            name
            for name, (point, has_failed) in checked.items()
            if has_failed or point.state in (State.PARTIAL, State.CONTRADICTED)
        ),
    )


def _judged_object(reply: str) -> dict[str, Any]:
    """Return the last JSON object with `points`; reasoning and code fences around it are ignored."""
    judgements = [value for value in json_objects(reply) if "points" in value]
    if not judgements:
        raise UnusableReply("the reply contains no JSON object with the key `points`")
    return judgements[-1]


def _claims(judged: Mapping[str, Any], ids: Sequence[str]) -> dict[str, tuple[State, list[str], str]]:
    """Return the claimed state, the quotes and the reason for every point, in the question's order."""
    entries = judged["points"]
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise UnusableReply("points: expected a list of objects")
    claims: dict[str, tuple[State, list[str], str]] = {}
    for entry in entries:
        name, state = entry.get("id"), entry.get("state")
        if name not in ids:
            raise UnusableReply(f"points: expected the ids {', '.join(ids)}, got {str(name)[:60]!r}")
        if name in claims:
            raise UnusableReply(f"points: {name} occurs twice")
        # A model that does not support schemas may still list missing points.
        if state not in (*_STATES, State.MISSING):
            raise UnusableReply(f"points: {name}: state: expected {', '.join(_STATES)}, got {str(state)[:60]!r}")
        claims[name] = (State(state), _quotes(entry.get("quotes", [])), _line(entry.get("why")))
    return {name: claims.get(name, (State.MISSING, [], "")) for name in ids}


def _line(text: Any) -> str:
    """Return the judge's remark as one short line that is safe to show."""
    # A server could have put an API key into the text.
    return masker(os.environ, MASKED_KEY)(one_line(text))[:_WHY_CHARS_MAX] if isinstance(text, str) else ""


def _quotes(entry: Any) -> list[str]:
    # Some models return one string or objects instead of a list of strings; all are accepted.
    entries = entry if isinstance(entry, list) else [entry]
    texts = [entry.get("quote") if isinstance(entry, dict) else entry for entry in entries[:_QUOTES_MAX]]
    return [text for text in texts if isinstance(text, str) and text.strip()]


def _supported(name: str, state: State, quotes: Sequence[str], answer: QuotableAnswer) -> tuple[PointState, bool]:
    """Return the state that the quotes support, and whether a quote was rejected or none was given."""
    if state is State.MISSING:
        return PointState(name, State.MISSING), False
    checked = [answer.check(quote) for quote in quotes]
    good = sorted((match for match in checked if match), key=lambda quote: quote.is_short)
    has_failed = len(good) < len(checked)
    lowered = _lowered(state, good, has_failed)
    quote = "" if lowered is State.MISSING else good[0].text
    if state is lowered is State.PARTIAL:
        # If a point is partly right, one quote may show what is right, and another may show what is wrong.
        quote = QUOTES_JOINT.join(list(dict.fromkeys(match.text for match in checked if match))[:_PARTIAL_QUOTES_MAX])
    return PointState(name, lowered, quote), has_failed or not good


def _lowered(state: State, good: Sequence[Quote], has_failed: bool) -> State:
    if not good:
        return State.MISSING
    if state is State.SHOWN and (has_failed or good[0].is_short):
        return State.PARTIAL
    if state is State.PARTIAL and has_failed:
        return State.MISSING
    return state


def _quoted(entries: Any, known: Set[str], answer: QuotableAnswer) -> tuple[Belief, ...]:
    """Return the entries with a known id and a quote that occurs in the answer, one for each id."""
    found: dict[str, Belief] = {}
    for entry in entries if isinstance(entries, list) else []:
        name, quote = (entry.get("id"), entry.get("quote")) if isinstance(entry, dict) else (None, None)
        match = answer.check(quote) if isinstance(quote, str) and isinstance(name, str) and name in known else None
        if match:
            found.setdefault(str(name), Belief(str(name), match.text))
    return tuple(found.values())


def _object(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def _list(items: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


def _one_of(names: Iterator[str] | Sequence[str]) -> dict[str, Any]:
    return {"type": "string", "enum": [str(name) for name in names]}
