"""The candidate's side of an observed session: the current observers, and the events that their notes cause.

Text from an observer is untrusted: its length is limited, control characters are removed, and every mark is checked.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from interviewer.log.errors import LogError
from interviewer.log.observer_notes import ASK, TICK, UNTICK, Note, Notes
from interviewer.sanitize import printable
from interviewer.session import events, observer_turns
from interviewer.session.assessment import State
from interviewer.session.state import ObserverMark, Session

QUESTION_CHARS_MAX = 1000
WATCH_SECONDS = 1.0
_STATES = {TICK: State.SHOWN, UNTICK: State.MISSING}


def clean_text(text: str) -> str:
    """Return an observer's text without control characters and with limited length; may be empty."""
    return printable(text)[:QUESTION_CHARS_MAX].strip()


@dataclass
class LiveSession:
    """A session that is open to observers. The candidate shares `token`; the default is a new token."""

    notes: Notes
    session: str
    wall: Callable[[], float] = time.time
    token: str = ""

    def __post_init__(self) -> None:
        self.token = self.notes.open(self.session, self.wall(), self.token)

    def close(self, asked: int) -> None:
        """Invalidate the token, so that observers can no longer see the session.

        The observers' questions with a number above `asked` are dropped. Raises LogError if the log cannot be used.
        """
        self.notes.close(self.session, asked)

    @property
    def invitation(self) -> str:
        """Return the command that an observer runs."""
        return f"interviewer observe --token {self.token}"

    def watchers(self) -> list[str]:
        """Return the names of the current observers, safe to show. Raises LogError if the log cannot be used."""
        return [
            " ".join(clean_text(who).split()) or "observer" for who in self.notes.present(self.session, self.wall())
        ]

    def status(self) -> str:
        """Return the names of the observers or, if nobody is watching, the token that an observer needs to join."""
        try:
            names = self.watchers()
        except LogError:
            names = []
        return describe_watchers(names) if names else f"live, token {self.token}"

    def has_pending_note(self, session: Session) -> bool:
        """Return whether the runner could record a note now."""
        try:
            return self.next_event(session, 0.0) is not None
        except LogError:
            # The runner's next call to `next_event` raises the same error, which is then reported.
            return False

    def next_event(self, session: Session, at: float) -> events.Event | None:
        """Return the next event from the observers' notes, marks first; None if there is no such event.

        Raises LogError if the log cannot be used.
        """
        observed = session.observed
        waiting = self.notes.after(self.session, min(observed.asked, observed.marked))
        new = [note for note in waiting if note.number > observed.marked]
        marks = [(note.number, mark) for note in new if (mark := parse_mark(note))]
        known = [(number, mark) for number, mark in marks if observer_turns.has_point(session, mark)]
        if known:
            return events.ObserverMarked(at, known[-1][0], tuple(mark for _, mark in known))
        if not observer_turns.may_ask(session):
            return None
        for note in waiting:
            if note.kind == ASK and note.number > observed.asked and (text := clean_text(note.text)):
                return events.ObserverAsked(at, note.number, clean_text(note.who), text)
        return None

    def watch(self, notify: Callable[[str], None], stop: threading.Event) -> None:
        """Report when observers join or leave until `stop` is set. Blocks, so run it in its own thread."""
        before: list[str] = []
        while not stop.wait(WATCH_SECONDS):
            try:
                now = self.watchers()
            except LogError:
                # The interview encounters the same error and reports it.
                continue
            if now != before:
                notify(describe_watchers(now))
            before = now


def describe_watchers(names: list[str]) -> str:
    """Return a sentence with the names of the observers."""
    return f"watched by {', '.join(names)}" if names else "no observers now"


def parse_mark(note: Note) -> ObserverMark | None:
    """Return the mark in a note ("QUESTION POINT"), or None if the note contains no mark."""
    words = note.text.split()
    if note.kind not in _STATES or len(words) != 2:
        return None
    return ObserverMark(words[0], words[1], _STATES[note.kind], clean_text(note.who))
