"""The observer's side: reads what a running session's log gained, folds it, and writes notes; never an event."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from interviewer.interview.observers import ASK_CHARACTERS_MAX, mark_in, unsteered
from interviewer.log.errors import LogDamaged
from interviewer.log.notes import ASK, TICK, UNTICK, Note
from interviewer.log.store import PracticeLog
from interviewer.session import observer_turns
from interviewer.session.assessment import State
from interviewer.session.engine import OutOfTurn, step
from interviewer.session.question import Question
from interviewer.session.state import ObserverMark, Session

if TYPE_CHECKING:
    from interviewer.session.events import Event

BEAT_SECONDS = 1.5


def join(log: PracticeLog, session: str | None, token: str, who: str) -> Observation:
    """Return the session that this token opens, seen by `who`. Raises: NotAdmitted for a wrong token, LogError."""
    return Observation(log, log.notes.session_of(token, session), token, unsteered(who).strip() or "observer")


def too_long(question: str) -> str:
    """Return why a question cannot be asked as it is; empty when it can."""
    if len(question) <= ASK_CHARACTERS_MAX:
        return ""
    return f"expected at most {ASK_CHARACTERS_MAX} characters, got {len(question)}; nothing was sent"


@dataclass(frozen=True)
class Drafted:
    """Hold a text that is being typed: "answer", or "code" of the task that runs."""

    slot: str
    text: str


@dataclass
class Observation:
    """Follow one session from one seat. `who` is the observer's name. Raises: NotAdmitted for a wrong token."""

    log: PracticeLog
    id: str
    token: str
    who: str
    wall: Callable[[], float] = time.time
    session: Session | None = field(default=None, init=False)
    _count: int = field(default=0, init=False)
    _drafts: dict[str, str] = field(default_factory=dict, init=False)
    _beat_at: float = field(default=0.0, init=False)

    def __post_init__(self) -> None:
        self._beat()

    def poll(self) -> list[Event]:
        """Return the events since the last poll, and tell that this observer is there. Raises: LogError."""
        if abs(self.wall() - self._beat_at) >= BEAT_SECONDS:
            self._beat()
        new = self.log.events(self.id, first=self._count)
        session = self.session
        try:
            for event in new:
                session = step(session, event)
        except OutOfTurn as error:
            raise LogDamaged(f"session {self.id}: {error}", "Another version may have written it.") from None
        self.session, self._count = session, self._count + len(new)
        return new

    def drafts(self) -> list[Drafted]:
        """Return what is being typed and differs from the last time. Raises: LogError."""
        session, slots = self.session, {"answer": "answer"}
        if session is not None and session.works and not session.work.is_over:
            slots["code"] = f"code:{session.work.task}"
        changed = []
        for shown_as, slot in slots.items():
            text = self.log.draft(self.id, slot)
            if text != self._drafts.get(shown_as, ""):
                self._drafts[shown_as] = text
                changed.append(Drafted(shown_as, text))
        return changed

    @property
    def question(self) -> Question | None:
        """Return the question that runs or ran last."""
        return next(reversed(self.questions), None)

    @property
    def questions(self) -> list[Question]:
        """Return the questions that were put so far, in order."""
        session = self.session
        return [session.question(drill.question) for drill in session.drills] if session else []

    @property
    def seconds_left(self) -> float:
        """Return the session's time left, as the candidate's app noted it last. Raises: LogError."""
        assert self.session is not None
        since = self.log.seconds_since(self.id, self.session.last_at)
        return 60 * self.session.plan.minutes - self.session.elapsed_seconds - since

    def marks(self) -> dict[tuple[str, str], State]:
        """Return the observers' marks by question and point, with those that the session has not taken yet."""
        assert self.session is not None
        taken = [*self.session.observed.marks]
        for note in self.log.notes.after(self.id, self.session.observed.marked):
            mark = mark_in(note)
            if mark and observer_turns.has_point(self.session, mark):
                taken.append(mark)
        return {(one.question, one.point): one.state for one in taken}

    def waiting(self) -> list[Note]:
        """Return the questions of observers that were not asked yet."""
        asked = self.session.observed.asked if self.session else 0
        return [note for note in self.log.notes.after(self.id, asked) if note.kind == ASK]

    def ask(self, text: str) -> None:
        """Leave a question for the interviewer's next turn. Raises: NotAdmitted, LogError."""
        self._add(ASK, text)

    def tick(self, mark: ObserverMark) -> None:
        """Leave a mark. Raises: NotAdmitted, LogError."""
        self._add(TICK if mark.state is State.SHOWN else UNTICK, f"{mark.question} {mark.point}")

    def rejoin(self, token: str) -> None:
        """Go on with another token of the same session. Raises: NotAdmitted, LogError."""
        self.log.notes.session_of(token, self.id)
        self.token = token
        self._beat()

    def leave(self) -> None:
        """Tell that this observer goes. Raises: LogError."""
        self.log.notes.leave(self.id, self.who)

    def _add(self, kind: str, text: str) -> None:
        self.log.notes.add(self.id, self.token, self.who, kind, text, self.wall())

    def _beat(self) -> None:
        self._beat_at = self.wall()
        self.log.notes.beat(self.id, self.token, self.who, self._beat_at)
