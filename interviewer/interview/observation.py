"""Follows a session beside an app's loop: one thread alone touches the log, and what it tells never changes again."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from interviewer.interview.observers import ASK_CHARACTERS_MAX, mark_in
from interviewer.log.errors import LogDamaged, LogError
from interviewer.log.notes import ASK, TICK, UNTICK, Note
from interviewer.log.store import PracticeLog
from interviewer.log.transcript import event_text
from interviewer.sanitize import printable
from interviewer.session import events, observer_turns
from interviewer.session.assessment import State
from interviewer.session.engine import InvalidTransition, step
from interviewer.session.question import Point, Question
from interviewer.session.state import ObserverMark, Session

if TYPE_CHECKING:
    from interviewer.session.events import Event


BEAT_SECONDS = 1.5
POLL_SECONDS = 0.25
# A candidate whose app starts again lets the same observer in again after a moment.
RETRY_SECONDS = 1.0
TYPED_LINES_MAX = 40
_NOT_MARKED = "-"
_SHORT: dict[type, str] = {
    events.AnswerTakenBack: "The candidate took the last answer back; it counts nowhere.",
    events.HintAsked: "The candidate asked for a hint.",
    events.SkipAsked: "The candidate skipped this part.",
    events.EndAsked: "The candidate ended the session.",
}


def join(log: PracticeLog, session: str | None, token: str, who: str) -> Observation:
    """Return the session that this token opens, seen by `who`. Raises: NotAdmitted for a wrong token, LogError."""
    return Observation(log, log.notes.session_of(token, session), token, printable(who).strip() or "observer")


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
        except InvalidTransition as error:
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
        self.log.notes.heartbeat(self.id, self.token, self.who, self._beat_at)


@dataclass(frozen=True)
class Sight:
    """Hold all that an observer sees at one moment; `drafts` is what is being typed, as "answer" and "code".

    A session that is over is the last sight.
    """

    session: Session
    questions: tuple[Question, ...]
    marks: Mapping[tuple[str, str], State]
    waiting: int
    drafts: Mapping[str, str]
    seconds_left: float


@dataclass(frozen=True)
class Lost:
    """Hold why nothing can be seen now; it is tried again."""

    error: Exception


@dataclass(frozen=True)
class Asked:
    """Say that a question is kept in the log."""

    text: str


@dataclass(frozen=True)
class Rejoined:
    """Say that another token holds from now on."""

    token: str


@dataclass(frozen=True)
class Refused:
    """Hold why something that the observer did is not in the log."""

    error: Exception


Told = Sight | Lost | Asked | Rejoined | Refused


class ObserverPoller:
    """Tell what is seen, from `run` in a thread of its own; the other methods may be called from any thread."""

    def __init__(self, seen: Observation, tell: Callable[[Told], object]) -> None:
        self._seen = seen
        self._tell = tell
        self._acts: queue.SimpleQueue[Callable[[], Told | None]] = queue.SimpleQueue()
        self._has_ended = False
        self._drafts: dict[str, str] = {}
        self._told: Sight | None = None
        self._lost = ""

    def run(self) -> None:
        """Look and do until `stop` is called; blocks."""
        try:
            while not self._has_ended:
                self._wait(POLL_SECONDS if self._look() else RETRY_SECONDS)
        finally:
            with suppress(LogError):
                self._seen.leave()

    def stop(self) -> None:
        """Let `run` return soon, after what was asked and ticked."""
        self._acts.put(self._end)

    def ask(self, text: str) -> None:
        """Leave a question for the interviewer's next turn."""

        def act() -> Asked:
            self._seen.ask(text)
            return Asked(text)

        self._acts.put(act)

    def tick(self, question: str, point: str, state: State) -> None:
        """Leave a mark."""
        self._acts.put(lambda: self._seen.tick(ObserverMark(question, point, state, self._seen.who)))

    def rejoin(self, token: str) -> None:
        """Go on with another token."""

        def act() -> Rejoined:
            self._seen.rejoin(token)
            return Rejoined(token)

        self._acts.put(act)

    def _end(self) -> None:
        self._has_ended = True

    def _wait(self, seconds: float) -> None:
        """Do what is asked for, or return after these seconds."""
        deadline = time.monotonic() + seconds
        with suppress(queue.Empty):
            while not self._has_ended:
                act = self._acts.get(timeout=max(0.0, deadline - time.monotonic()))
                # What comes with it is done as well; the look after it then shows all of it.
                deadline = 0.0
                self._do(act)

    def _do(self, act: Callable[[], Told | None]) -> None:
        try:
            told = act()
        except Exception as error:
            self._tell(Refused(error))
        else:
            if told is not None:
                self._tell(told)

    def _look(self) -> bool:
        """Tell what has changed; return whether anything could be seen."""
        try:
            sight = self._sight()
        except Exception as error:
            self._told = None
            # Once, not with every try.
            if str(error) != self._lost:
                self._lost = str(error)
                self._tell(Lost(error))
            return False
        self._lost = ""
        if sight is not None and sight != self._told:
            self._told = sight
            self._has_ended = sight.session.is_over
            self._tell(sight)
        return True

    def _sight(self) -> Sight | None:
        self._seen.poll()
        if self._seen.session is None:
            return None
        self._drafts |= {draft.slot: draft.text for draft in self._seen.drafts()}
        return Sight(
            self._seen.session,
            tuple(self._seen.questions),
            self._seen.marks(),
            len(self._seen.waiting()),
            dict(self._drafts),
            self._seen.seconds_left,
        )


@dataclass(frozen=True)
class RubricRow:
    """Hold one point with its three marks, never mixed; None where nobody marked it."""

    number: int
    point: Point
    machine: State | None
    own: State | None
    observer: State | None


def marked_as(state: State | None) -> str:
    """Return a mark in a word."""
    return state.value if state else _NOT_MARKED


def what_happened(event: events.Event) -> str:
    """Return one event as somebody beside the candidate would tell it."""
    match event:
        case events.CandidateSaid():
            return f"\nCandidate: {event.text}"
        case events.Submitted():
            return f"\nThe candidate submitted:\n{event.source}"
        case events.SelfMarked():
            marks = ", ".join(f"{mark.point} {mark.state.value}" for mark in event.marks)
            return f"The candidate's own marks: {marks or 'none'}"
        case events.Appealed():
            return f"The candidate's appeal on {event.question} {event.point}: {event.why or 'withdrawn'}"
        case events.InterviewerSaid():
            return f"\n{event_text(event)}"
    return _SHORT.get(type(event)) or event_text(event)


def rubric_rows(session: Session, question: Question, marks: Mapping[tuple[str, str], State]) -> Iterator[RubricRow]:
    """Yield the points with the machine's mark, the candidate's own and the observers'."""
    drill = next(one for one in reversed(session.drills) if one.question == question.id)
    own = {mark.point: mark.state for mark in drill.self_marks or ()}
    for number, point in enumerate(question.points, 1):
        credit = drill.credit_of(point.id)
        observer = marks.get((question.id, point.id))
        yield RubricRow(number, point, credit.state if credit else None, own.get(point.id), observer)


def rubric_lines(session: Session, question: Question, marks: Mapping[tuple[str, str], State]) -> Iterator[str]:
    """Yield the points on a line each."""
    yield f"Rubric of {question.id} [machine | candidate | observer]:"
    for row in rubric_rows(session, question, marks):
        columns = " | ".join(map(marked_as, (row.machine, row.own, row.observer)))
        yield f"  {row.number}. [{columns}] {row.point.says}"


def ladder_lines(question: Question) -> Iterator[str]:
    """Yield each rung with the bank's short answer."""
    yield f"The bank's answers to {question.id}:"
    for number, rung in enumerate(question.rungs, 1):
        yield f"  rung {number}: {' '.join(rung.ask.split())}"
        yield f"    answer: {' '.join(rung.answer.split())}"


def typed_lines(before: str, after: str) -> Iterator[str]:
    """Yield the lines that differ, numbered; of a line that only grew, what was added."""
    old, new = before.split("\n"), after.split("\n")
    if not after:
        return
    both = min(len(old), len(new))
    start = next((number for number in range(both) if old[number] != new[number]), both)
    # What follows an edit in the middle is the same as before, only moved.
    end = len(new)
    while end > start and len(old) - (len(new) - end) > start and new[end - 1] == old[len(old) - (len(new) - end) - 1]:
        end -= 1
    for number in range(start, min(end, start + TYPED_LINES_MAX)):
        grew = number < len(old) and old[number] and new[number].startswith(old[number])
        yield f"{number + 1}| " + (f"…{new[number][len(old[number]) :]}" if grew else new[number])
    if end - start > TYPED_LINES_MAX:
        yield f"… {end - start - TYPED_LINES_MAX} more lines changed; /code shows the code"
    elif start == end and len(new) < len(old):
        yield f"{start + 1}| (lines were taken out; {len(new)} are left)"
