"""All practice in one value, read from the log and already masked: what is made of it can leak no key.

Every session is folded again from its events (about 4 ms each), so nothing here can disagree with the log.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from interviewer.log.attempts import LoggedAttempt
from interviewer.log.errors import LogDamaged
from interviewer.log.store import PracticeLog
from interviewer.sanitize import Mask, masked
from interviewer.session.assessment import State
from interviewer.session.codec import from_plain, to_plain
from interviewer.session.engine import OutOfTurn, fold
from interviewer.session.move import MoveKind
from interviewer.session.question import Question
from interviewer.session.scoring import Depth, depth_in
from interviewer.session.state import Drill, ObserverMark, Session, Turn


@dataclass(frozen=True)
class LoggedDrill:
    """Hold one question of one session: when it was last answered, and the depth reached (None: nothing judged)."""

    session: Session
    at: float
    question: Question
    drill: Drill
    depth: Depth | None

    @property
    def is_graded(self) -> bool:
        """Return whether anything judged any answer."""
        return any(answer.assessment.is_graded for answer in self.drill.answers)

    def own_share(self, points: tuple[str, ...]) -> float | None:
        """Return the share of these points that the candidate marked as covered; None without own marks."""
        if self.drill.self_marks is None or not points:
            return None
        own = {mark.point: mark.state for mark in self.drill.self_marks}
        return sum(own.get(point, State.MISSING).credit for point in points) / len(points)

    @property
    def observed(self) -> dict[str, ObserverMark]:
        """Return what an observer marked, by point."""
        return {mark.point: mark for mark in self.session.observed.marks if mark.question == self.question.id}


@dataclass(frozen=True)
class History:
    """Hold all sessions and the attempts outside interviews, earliest first, and what could not be read."""

    sessions: tuple[Session, ...]
    loose_attempts: tuple[LoggedAttempt, ...]
    unreadable: tuple[str, ...] = ()

    def drills(self) -> list[LoggedDrill]:
        """Return every question that was put, in order."""
        return [one for session in self.sessions for one in drills_of(session)]

    def attempts(self, task: str = "") -> list[LoggedAttempt]:
        """Return every graded submission, inside interviews and outside, earliest first; of one task when named."""
        inside = [one for session in self.sessions for one in attempts_of(session)]
        everything = sorted([*inside, *self.loose_attempts], key=lambda one: (one.at, one.id))
        return [one for one in everything if not task or one.task == task]

    def topics_of_task(self) -> dict[str, tuple[str, ...]]:
        """Return the topics of the tasks that interviews held."""
        return {task.id: task.topics for session in self.sessions for task in session.tasks}


def drills_of(session: Session) -> Iterator[LoggedDrill]:
    """Yield the questions of one session."""
    parts = [index for index, part in enumerate(session.plan.parts) if part.kind == "question"]
    for drill, part in zip(session.drills, parts, strict=False):
        answered = [turn.at for turn in session.transcript if turn.part == part and not turn.is_interviewer]
        asked = [turn.at for turn in session.transcript if turn.part == part]
        at = max(answered or asked, default=session.started_at)
        question = session.question(drill.question)
        yield LoggedDrill(session, at, question, drill, depth_in(session, drill))


def attempts_of(session: Session) -> Iterator[LoggedAttempt]:
    """Yield the graded submissions of one session; an ungraded one is no attempt, its debrief still shows it."""
    begun = _tasks_begun(session)
    for number, work in enumerate(session.works):
        turns = begun[number] if number < len(begun) else []
        for place, attempt in enumerate(work.attempts, 1):
            if attempt.report is None:
                continue
            # It was made without the hints that came after it.
            hints = sum(turn.move is MoveKind.HINT and turn.at < attempt.at for turn in turns)
            yield LoggedAttempt(
                f"{session.id}-{work.task}-{place}",
                attempt.at,
                work.task,
                "interview",
                attempt.source,
                attempt.report,
                attempt.at - turns[0].at if turns else None,
                min(hints, work.hints),
            )


def _tasks_begun(session: Session) -> list[list[Turn]]:
    """Return the turns of each coding task that was opened; the first one opened it."""
    parts = [index for index, part in enumerate(session.plan.parts) if part.kind == "task"]
    turns = ([turn for turn in session.transcript if turn.part == part] for part in parts)
    return [one for one in turns if one]


def masked_attempts(log: PracticeLog, mask: Mask) -> list[LoggedAttempt]:
    """Return the attempts outside interviews with every secret taken out. Raises: LogError."""
    return [from_plain(LoggedAttempt, masked(to_plain(one), mask)) for one in log.attempts()]


def read_history(log: PracticeLog, mask: Mask) -> History:
    """Return all practice. A session that cannot be read is named and left out. Raises: LogError."""
    sessions, unreadable = [], []
    for line in reversed(log.sessions()):
        try:
            sessions.append(fold(log.events(line.id, mask)))
        except LogDamaged as error:
            unreadable.append(error.message)
        except (OutOfTurn, LookupError, ValueError) as error:
            still = f"interviewer log {line.id} --transcript still shows it"
            unreadable.append(f"session {line.id} does not follow from today's rules ({error}); {still}")
    return History(tuple(sessions), tuple(masked_attempts(log, mask)), tuple(unreadable))
