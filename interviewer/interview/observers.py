"""The candidate's side of a session that an observer may join: who is there, and what their notes make happen.

What an observer wrote is data: capped, without control characters, and checked like everything that comes from outside.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from interviewer.log.errors import LogError
from interviewer.log.notes import ASK, TICK, UNTICK, Note, Notes
from interviewer.sanitize import printable
from interviewer.session import events, observer_turns
from interviewer.session.assessment import State
from interviewer.session.state import ObserverMark, Session

ASK_CHARACTERS_MAX = 1000
WATCH_SECONDS = 1.0
_STATES = {TICK: State.SHOWN, UNTICK: State.MISSING}


def plain_words(text: str) -> str:
    """Return an observer's words without control characters, capped; empty when nothing is left."""
    return printable(text)[:ASK_CHARACTERS_MAX].strip()


@dataclass
class LiveSession:
    """Hold one session open to observers. `token` is what the candidate hands on: a new one unless it is given."""

    notes: Notes
    session: str
    wall: Callable[[], float] = time.time
    token: str = ""

    def __post_init__(self) -> None:
        self.token = self.notes.open(self.session, self.wall(), self.token)

    @property
    def invitation(self) -> str:
        """Return the command that an observer types."""
        return f"interviewer observe --token {self.token}"

    def here(self) -> list[str]:
        """Return who watches now, safe to show. Raises: LogError."""
        return [
            " ".join(plain_words(who).split()) or "observer" for who in self.notes.present(self.session, self.wall())
        ]

    def line(self) -> str:
        """Return who watches, or the token while nobody does."""
        try:
            names = self.here()
        except LogError:
            names = []
        return there(names) if names else f"live, token {self.token}"

    def is_wanted(self, session: Session) -> bool:
        """Return whether a note waits that the driver could take now."""
        try:
            return self.next_event(session, 0.0) is not None
        except LogError:
            # The driver meets the same failure with its next event, and says what to do about it.
            return False

    def next_event(self, session: Session, at: float) -> events.Event | None:
        """Return what the notes make happen now, marks first; None when nothing does. Raises: LogError."""
        observed = session.observed
        waiting = self.notes.after(self.session, min(observed.asked, observed.marked))
        marks = [(one.number, mark) for one in waiting if one.number > observed.marked and (mark := mark_in(one))]
        known = [(number, mark) for number, mark in marks if observer_turns.has_point(session, mark)]
        if known:
            return events.ObserverMarked(at, known[-1][0], tuple(mark for _, mark in known))
        if not observer_turns.may_ask(session):
            return None
        for note in waiting:
            if note.kind == ASK and note.number > observed.asked and (text := plain_words(note.text)):
                return events.ObserverAsked(at, note.number, plain_words(note.who), text)
        return None

    def watch(self, tell: Callable[[str], None], stop: threading.Event) -> None:
        """Tell who comes and goes until `stop` is set. Blocks, so it wants a thread of its own."""
        before: list[str] = []
        while not stop.wait(WATCH_SECONDS):
            try:
                now = self.here()
            except LogError:
                # The interview itself meets the same failure, and says what to do about it.
                continue
            if now != before:
                tell(there(now))
            before = now


def there(names: list[str]) -> str:
    """Return in words who watches."""
    return f"watched by {', '.join(names)}" if names else "nobody watches now"


def mark_in(note: Note) -> ObserverMark | None:
    """Return the mark that a note makes ("QUESTION POINT"), or None when it makes none."""
    words = note.text.split()
    if note.kind not in _STATES or len(words) != 2:
        return None
    return ObserverMark(words[0], words[1], _STATES[note.kind], plain_words(note.who))
