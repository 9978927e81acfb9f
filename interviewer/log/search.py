"""Search questions, answers and code for words; each match names the session or attempt and the part of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from interviewer.log.history import History
from interviewer.session.state import Session

AROUND_CHARACTERS = 50


@dataclass(frozen=True)
class SearchMatch:
    """Hold one match.

    `where` is the id of the session or attempt, `part` that of the question or task, `kind` is asked, said or code.
    """

    where: str
    at: float
    part: str
    kind: str
    excerpt: str


def search(history: History, wanted: str) -> list[SearchMatch]:
    """Return every match for these words, ignoring case, latest first."""
    needle = " ".join(wanted.split()).casefold()
    if not needle:
        return []
    texts = [text for session in history.sessions for text in _texts_of(session)]
    texts += [
        SearchMatch(attempt.id, attempt.at, attempt.task, "code", attempt.source) for attempt in history.loose_attempts
    ]
    matches = [replace(text, excerpt=excerpt) for text in texts if (excerpt := _excerpt(text.excerpt, needle))]
    return sorted(matches, key=lambda match: (-match.at, match.where))


def _texts_of(session: Session) -> Iterator[SearchMatch]:
    """Yield every text of a session, each as a match whose excerpt is the whole text."""
    parts = session.plan.parts
    retracted = [turn for pair in session.taken_back for turn in (pair.answer, pair.reply) if turn is not None]
    for turn in (*session.transcript, *retracted):
        part = parts[turn.part].id if 0 <= turn.part < len(parts) else ""
        yield SearchMatch(session.id, turn.at, part, "asked" if turn.is_interviewer else "said", turn.text)
    for work in session.works:
        for attempt in work.attempts:
            yield SearchMatch(session.id, attempt.at, work.task, "code", attempt.source)


def _excerpt(text: str, needle: str) -> str:
    """Return the text around the first match as one line; "" if there is no match."""
    line = " ".join(text.split())
    at = line.casefold().find(needle)
    if at < 0:
        return ""
    begin, end = max(0, at - AROUND_CHARACTERS), at + len(needle) + AROUND_CHARACTERS
    return ("… " if begin else "") + line[begin:end].strip() + (" …" if end < len(line) else "")
