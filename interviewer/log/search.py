"""Finds words in what was asked, answered and coded; the answer names the session and the place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from interviewer.log.history import History
from interviewer.session.state import Session

AROUND_CHARACTERS = 50


@dataclass(frozen=True)
class SearchMatch:
    """Hold one place. `where` is the session or attempt, `part` the question or task, `kind` asked, said or code."""

    where: str
    at: float
    part: str
    kind: str
    excerpt: str


def search(history: History, wanted: str) -> list[SearchMatch]:
    """Return every place that holds the words, in upper or lower case, latest first."""
    needle = " ".join(wanted.split()).casefold()
    if not needle:
        return []
    places = [found for session in history.sessions for found in _in_session(session)]
    places += [SearchMatch(one.id, one.at, one.task, "code", one.source) for one in history.loose_attempts]
    hits = [
        SearchMatch(place.where, place.at, place.part, place.kind, excerpt)
        for place in places
        if (excerpt := _excerpt(place.excerpt, needle))
    ]
    return sorted(hits, key=lambda one: (-one.at, one.where))


def _in_session(session: Session) -> Iterator[SearchMatch]:
    """Yield every text of a session whole."""
    parts = session.plan.parts
    undone = [turn for one in session.taken_back for turn in (one.answer, one.reply) if turn is not None]
    for turn in (*session.transcript, *undone):
        part = parts[turn.part].id if 0 <= turn.part < len(parts) else ""
        yield SearchMatch(session.id, turn.at, part, "asked" if turn.is_interviewer else "said", turn.text)
    for work in session.works:
        for attempt in work.attempts:
            yield SearchMatch(session.id, attempt.at, work.task, "code", attempt.source)


def _excerpt(text: str, needle: str) -> str:
    """Return the words around the first match on one line, "" without a match."""
    line = " ".join(text.split())
    at = line.casefold().find(needle)
    if at < 0:
        return ""
    begin, end = max(0, at - AROUND_CHARACTERS), at + len(needle) + AROUND_CHARACTERS
    return ("… " if begin else "") + line[begin:end].strip() + (" …" if end < len(line) else "")
