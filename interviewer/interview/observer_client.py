"""An observer's view of a session: reads it, polls it from a thread, and formats it as text for plain front ends.

Only the poller's thread reads the log. The snapshots that it reports are never modified.
"""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from interviewer.interview.observer_host import QUESTION_CHARS_MAX, parse_mark
from interviewer.log.errors import LogDamaged, LogError, NotAdmitted
from interviewer.log.observer_notes import ASK, TICK, UNTICK, Note
from interviewer.log.store import PracticeLog
from interviewer.log.transcript import event_text
from interviewer.sanitize import printable
from interviewer.session import events, observer_turns
from interviewer.session.assessment import State
from interviewer.session.engine import InvalidTransition, step
from interviewer.session.question import Point, Question
from interviewer.session.state import ObserverMark, Session

HEARTBEAT_SECONDS = 1.5
POLL_SECONDS = 0.25
# After a restart of the candidate's app, the same observer is readmitted almost immediately.
RETRY_SECONDS = 1.0
TYPED_LINES_MAX = 40
_NOT_MARKED = "-"
_EVENT_TEXTS: dict[type, str] = {
    events.AnswerTakenBack: "The candidate retracted the last answer; it does not count.",
    events.HintAsked: "The candidate asked for a hint.",
    events.SkipAsked: "The candidate skipped this part.",
    events.EndAsked: "The candidate ended the session.",
}


def join(log: PracticeLog, session: str | None, token: str, who: str) -> Observation:
    """Observe the session with this token; `who` is the observer's name.

    Raises NotAdmitted if the token is invalid, and LogError if the log cannot be used.
    """
    return Observation(log, log.notes.session_of(token, session), token, printable(who).strip() or "observer")


def length_error(question: str) -> str:
    """Return an error message if a question is too long; "" otherwise."""
    if len(question) <= QUESTION_CHARS_MAX:
        return ""
    return f"expected at most {QUESTION_CHARS_MAX} characters, got {len(question)}; not sent"


@dataclass(frozen=True)
class DraftChange:
    """Text that the candidate is typing: the "answer", or the "code" of the current task."""

    slot: str
    text: str


@dataclass
class Observation:
    """Follow a session as an observer named `who`. Raises NotAdmitted if the token is wrong."""

    log: PracticeLog
    id: str
    token: str
    who: str
    wall: Callable[[], float] = time.time
    session: Session | None = field(default=None, init=False)
    _count: int = field(default=0, init=False)
    _drafts: dict[str, str] = field(default_factory=dict, init=False)
    _heartbeat_at: float = field(default=0.0, init=False)

    def __post_init__(self) -> None:
        self._send_heartbeat()

    def poll(self) -> list[events.Event]:
        """Return the events since the last poll, and send a heartbeat if one is due.

        Raises LogError if the log cannot be used.
        """
        if abs(self.wall() - self._heartbeat_at) >= HEARTBEAT_SECONDS:
            self._send_heartbeat()
        new = self.log.events(self.id, first=self._count)
        session = self.session
        try:
            for event in new:
                session = step(session, event)
        except InvalidTransition as error:
            raise LogDamaged(
                f"session {self.id}: {error}", "The session may come from a different version of interviewer."
            ) from None
        self.session, self._count = session, self._count + len(new)
        return new

    def drafts(self) -> list[DraftChange]:
        """Return the drafts that have changed since the last call. Raises LogError if the log cannot be used."""
        session, slots = self.session, {"answer": "answer"}
        if session is not None and session.works and not session.work.is_over:
            slots["code"] = f"code:{session.work.task}"
        changed = []
        for shown_as, slot in slots.items():
            text = self.log.draft(self.id, slot)
            if text != self._drafts.get(shown_as, ""):
                self._drafts[shown_as] = text
                changed.append(DraftChange(shown_as, text))
        return changed

    @property
    def question(self) -> Question | None:
        """Return the current question, or the last question if there is no current one."""
        return next(reversed(self.questions), None)

    @property
    def questions(self) -> list[Question]:
        """Return the questions asked so far, in order."""
        session = self.session
        return [session.question(drill.question) for drill in session.drills] if session else []

    @property
    def seconds_left(self) -> float:
        """Return the number of seconds left, as last saved by the candidate's app.

        Raises LogError if the log cannot be used.
        """
        assert self.session is not None
        since = self.log.seconds_since(self.id, self.session.last_at)
        return 60 * self.session.plan.minutes - self.session.elapsed_seconds - since

    def marks(self) -> dict[tuple[str, str], State]:
        """Return the observers' marks by question and point, including those that the session has not recorded yet."""
        assert self.session is not None
        marks = [*self.session.observed.marks]
        for note in self.log.notes.after(self.id, self.session.observed.marked):
            mark = parse_mark(note)
            if mark and observer_turns.has_point(self.session, mark):
                marks.append(mark)
        return {(mark.question, mark.point): mark.state for mark in marks}

    def waiting(self) -> list[Note]:
        """Return the observers' questions that have not been asked yet."""
        asked = self.session.observed.asked if self.session else 0
        return [note for note in self.log.notes.after(self.id, asked) if note.kind == ASK]

    def ask(self, text: str) -> None:
        """Queue a question for the interviewer's next turn.

        Raises NotAdmitted if the token is invalid, and LogError if the log cannot be used.
        """
        self._add(ASK, text)

    def tick(self, mark: ObserverMark) -> None:
        """Add or remove a mark. Raises NotAdmitted if the token is invalid, and LogError if the log cannot be used."""
        self._add(TICK if mark.state is State.SHOWN else UNTICK, f"{mark.question} {mark.point}")

    def rejoin(self, token: str) -> None:
        """Switch to a new token for the same session.

        Raises NotAdmitted if the token is invalid, and LogError if the log cannot be used.
        """
        self.log.notes.session_of(token, self.id)
        self.token = token
        self._send_heartbeat()

    def leave(self) -> None:
        """Report that this observer is leaving. Raises LogError if the log cannot be used."""
        self.log.notes.leave(self.id, self.who)

    def _add(self, kind: str, text: str) -> None:
        self.log.notes.add(self.id, self.token, self.who, kind, text, self.wall())

    def _send_heartbeat(self) -> None:
        at = self.wall()
        self.log.notes.heartbeat(self.id, self.token, self.who, at)
        # A rejected heartbeat stays due, so that every poll is rejected until the token is valid again.
        self._heartbeat_at = at


@dataclass(frozen=True)
class Snapshot:
    """Everything that an observer sees at one moment; `drafts` maps "answer" and "code" to the text being typed.

    A session's final snapshot is taken after it is over.
    """

    session: Session
    questions: tuple[Question, ...]
    marks: Mapping[tuple[str, str], State]
    waiting: int
    drafts: Mapping[str, str]
    seconds_left: float


@dataclass(frozen=True)
class ObservationFailed:
    """The error that prevented the session from being read; the poller tries again."""

    error: Exception

    @property
    def is_closed(self) -> bool:
        """Return whether the candidate has closed the session to observers with this token."""
        return isinstance(self.error, NotAdmitted)


@dataclass(frozen=True)
class QuestionSent:
    """A question was written to the log."""

    text: str


@dataclass(frozen=True)
class Rejoined:
    """A new token is in use."""

    token: str


@dataclass(frozen=True)
class ActionFailed:
    """The error that prevented an observer's action from being written to the log."""

    error: Exception


PollerMessage = Snapshot | ObservationFailed | QuestionSent | Rejoined | ActionFailed


class ObserverPoller:
    """Poll a session and report changes. `run` blocks in its own thread; all other methods are thread-safe."""

    def __init__(self, observation: Observation, report: Callable[[PollerMessage], object]) -> None:
        self._observation = observation
        self._report = report
        self._actions: queue.SimpleQueue[Callable[[], PollerMessage | None]] = queue.SimpleQueue()
        self._has_ended = False
        self._drafts: dict[str, str] = {}
        self._last_snapshot: Snapshot | None = None
        self._last_error = ""

    def run(self) -> None:
        """Report snapshots and run actions until `stop` is called. Blocks."""
        try:
            while not self._has_ended:
                self._wait(POLL_SECONDS if self._report_snapshot() else RETRY_SECONDS)
        finally:
            with suppress(LogError):
                self._observation.leave()

    def stop(self) -> None:
        """Make `run` return once it has processed the queued actions."""
        self._actions.put(self._end)

    def ask(self, text: str) -> None:
        """Queue a question for the interviewer's next turn."""

        def act() -> QuestionSent:
            self._observation.ask(text)
            return QuestionSent(text)

        self._actions.put(act)

    def tick(self, question: str, point: str, state: State) -> None:
        """Add or remove a mark."""
        self._actions.put(lambda: self._observation.tick(ObserverMark(question, point, state, self._observation.who)))

    def rejoin(self, token: str) -> None:
        """Switch to a new token."""

        def act() -> Rejoined:
            self._observation.rejoin(token)
            return Rejoined(token)

        self._actions.put(act)

    def _end(self) -> None:
        self._has_ended = True

    def _wait(self, seconds: float) -> None:
        """Run actions as they arrive, and return after the given seconds or after an action."""
        deadline = time.monotonic() + seconds
        with suppress(queue.Empty):
            while not self._has_ended:
                action = self._actions.get(timeout=max(0.0, deadline - time.monotonic()))
                # Actions that are already queued also run, so that the next snapshot reflects all of them.
                deadline = 0.0
                self._run_action(action)

    def _run_action(self, action: Callable[[], PollerMessage | None]) -> None:
        try:
            message = action()
        except Exception as error:
            self._report(ActionFailed(error))
        else:
            if message is not None:
                self._report(message)

    def _report_snapshot(self) -> bool:
        """Report the snapshot if it has changed; return whether the session could be read."""
        try:
            snapshot = self._take_snapshot()
        except Exception as error:
            self._last_snapshot = None
            # Report the same error only once, not on every retry.
            if str(error) != self._last_error:
                self._last_error = str(error)
                self._report(ObservationFailed(error))
            return False
        self._last_error = ""
        if snapshot is not None and snapshot != self._last_snapshot:
            self._last_snapshot = snapshot
            self._has_ended = snapshot.session.is_over
            self._report(snapshot)
        return True

    def _take_snapshot(self) -> Snapshot | None:
        self._observation.poll()
        if self._observation.session is None:
            return None
        self._drafts |= {draft.slot: draft.text for draft in self._observation.drafts()}
        return Snapshot(
            self._observation.session,
            tuple(self._observation.questions),
            self._observation.marks(),
            len(self._observation.waiting()),
            dict(self._drafts),
            self._observation.seconds_left,
        )


@dataclass(frozen=True)
class RubricRow:
    """A point with its marks from the examiner, the candidate and the observers; these marks are never combined.

    A mark is None if the point has not been marked.
    """

    number: int
    point: Point
    machine: State | None
    own: State | None
    observer: State | None


def mark_label(state: State | None) -> str:
    """Return the label of a mark."""
    return state.value if state else _NOT_MARKED


def describe_event(event: events.Event) -> str:
    """Return one event as text for an observer."""
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
    return _EVENT_TEXTS.get(type(event)) or event_text(event)


def rubric_rows(session: Session, question: Question, marks: Mapping[tuple[str, str], State]) -> Iterator[RubricRow]:
    """Yield each point with its marks from the machine, the candidate and the observers."""
    drill = next(drill for drill in reversed(session.drills) if drill.question == question.id)
    own = {mark.point: mark.state for mark in drill.self_marks or ()}
    for number, point in enumerate(question.points, 1):
        credit = drill.credit_of(point.id)
        observer = marks.get((question.id, point.id))
        yield RubricRow(number, point, credit.state if credit else None, own.get(point.id), observer)


def rubric_lines(session: Session, question: Question, marks: Mapping[tuple[str, str], State]) -> Iterator[str]:
    """Yield the rubric as text, one line per point."""
    yield f"Rubric of {question.id} [examiner | candidate | observer]:"
    for row in rubric_rows(session, question, marks):
        columns = " | ".join(map(mark_label, (row.machine, row.own, row.observer)))
        yield f"  {row.number}. [{columns}] {row.point.for_judge}"


def ladder_lines(question: Question) -> Iterator[str]:
    """Yield the question of each rung of the ladder, followed by the question bank's answer to it."""
    yield f"Reference answers to {question.id}:"
    for number, rung in enumerate(question.rungs, 1):
        yield f"  rung {number}: {' '.join(rung.ask.split())}"
        yield f"    answer: {' '.join(rung.answer.split())}"


def changed_lines(before: str, after: str) -> Iterator[str]:
    """Yield the changed lines with their numbers; for a line to which text was appended, yield only the new text."""
    old, new = before.split("\n"), after.split("\n")
    if not after:
        return
    both = min(len(old), len(new))
    start = next((number for number in range(both) if old[number] != new[number]), both)
    # Lines after an edit in the middle have not changed, but may have moved.
    end = len(new)
    while end > start and len(old) - (len(new) - end) > start and new[end - 1] == old[len(old) - (len(new) - end) - 1]:
        end -= 1
    for number in range(start, min(end, start + TYPED_LINES_MAX)):
        grew = number < len(old) and old[number] and new[number].startswith(old[number])
        yield f"{number + 1}| " + (f"…{new[number][len(old[number]) :]}" if grew else new[number])
    if end - start > TYPED_LINES_MAX:
        yield f"… {end - start - TYPED_LINES_MAX} more changed lines; /code shows the code"
    elif start == end and len(new) < len(old):
        yield f"{start + 1}| (lines removed; {len(new)} remain)"
