"""The whole practice history as one value, read from the log with secrets masked, so no caller can leak a key.

Every session is rebuilt from its events (about 4 ms each), so a history always agrees with the log.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property

from graders.verdict import Verdict
from interviewer.log.attempts import LoggedAttempt
from interviewer.log.errors import LogDamaged
from interviewer.log.store import PracticeLog
from interviewer.sanitize import Mask, masked
from interviewer.session.assessment import State
from interviewer.session.codec import from_plain, to_plain
from interviewer.session.engine import InvalidTransition, fold
from interviewer.session.move import MoveKind
from interviewer.session.question import Question
from interviewer.session.scoring import Depth, seconds_taken, session_depth
from interviewer.session.state import Drill, ObserverMark, Session, Turn
from tasks.task import TaskNames


@dataclass(frozen=True)
class LoggedDrill:
    """One question in one session. `at` is the time of the last answer; `depth` is None if nothing was judged."""

    session: Session
    at: float
    question: Question
    drill: Drill
    depth: Depth | None

    @property
    def is_graded(self) -> bool:
        """Return whether any answer was judged."""
        return any(answer.assessment.is_graded for answer in self.drill.answers)

    def own_share(self, points: tuple[str, ...]) -> float | None:
        """Return the fraction of these points that the candidate marked as covered; None if there are no marks."""
        if self.drill.self_marks is None or not points:
            return None
        own = {mark.point: mark.state for mark in self.drill.self_marks}
        return sum(own.get(point, State.MISSING).credit for point in points) / len(points)

    @property
    def observed(self) -> dict[str, ObserverMark]:
        """Return the observer's marks, by point."""
        return {mark.point: mark for mark in self.session.observed.marks if mark.question == self.question.id}


@dataclass(frozen=True)
class History:
    """All sessions and all attempts outside sessions, earliest first; `unreadable` describes the sessions left out.

    Renamed tasks appear under their current ids everywhere. `names` contains the titles and kinds of the current tasks.
    """

    sessions: tuple[Session, ...]
    loose_attempts: tuple[LoggedAttempt, ...]
    unreadable: tuple[str, ...] = ()
    names: TaskNames = field(default_factory=TaskNames)

    @property
    def is_empty(self) -> bool:
        """Return whether there is neither a session nor an attempt."""
        return not (self.sessions or self.loose_attempts)

    def drills(self) -> list[LoggedDrill]:
        """Return every question that was asked, in the order of the last answers, earliest first.

        An interview can be resumed after a newer one, so this is not always the order in which the sessions started.
        """
        return sorted((drill for session in self.sessions for drill in drills_of(session)), key=lambda past: past.at)

    def attempts(self, task: str = "") -> list[LoggedAttempt]:
        """Return every graded submission, inside and outside sessions, earliest first; only those for `task` if given.

        A file that could not be imported does not count as a submission; it stays in the log and is searchable.
        """
        inside = [attempt for session in self.sessions for attempt in attempts_of(session)]
        outside = (attempt for attempt in self.loose_attempts if attempt.has_loaded)
        everything = sorted([*inside, *outside], key=lambda attempt: (attempt.at, attempt.id))
        return [attempt for attempt in everything if not task or attempt.task == task]

    def title_of(self, item: str) -> str:
        """Return the current title of a question or task; for a deleted task, its title in the most recent session."""
        return self.names.titles.get(item) or self._logged_titles.get(item) or self.names.title_of(item)

    @cached_property
    def _logged_titles(self) -> dict[str, str]:
        return {part.id: session.title_of(part) for session in self.sessions for part in session.plan.parts}

    def tasks_with_hidden_topics(self) -> set[str]:
        """Return the ids of repair tasks that were never passed; their topics are hidden because they name the bug."""
        logged = {brief.id for session in self.sessions for brief in session.tasks if brief.kind == "repair"}
        return (logged | self.names.repairs) - self.passed_tasks()

    def passed_tasks(self) -> set[str]:
        """Return the ids of the tasks that were passed at least once."""
        return {attempt.task for attempt in self.attempts() if attempt.report.verdict is Verdict.PASSED}

    def topics_of_task(self) -> dict[str, tuple[str, ...]]:
        """Return the topics of every task that was part of a session, by task id."""
        return {task.id: task.topics for session in self.sessions for task in session.tasks}


def last_active_at(session: Session) -> float:
    """Return the time of the candidate's last answer or submission; if there is none, the start of the session."""
    answered = [turn.at for turn in session.transcript if not turn.is_interviewer]
    submitted = [attempt.at for work in session.works for attempt in work.attempts]
    return max(answered + submitted, default=session.started_at)


def drills_of(session: Session) -> Iterator[LoggedDrill]:
    """Yield the questions asked in one session, in order."""
    parts = [index for index, part in enumerate(session.plan.parts) if part.kind == "question"]
    for drill, part in zip(session.drills, parts, strict=False):
        answered = [turn.at for turn in session.transcript if turn.part == part and not turn.is_interviewer]
        asked = [turn.at for turn in session.transcript if turn.part == part]
        at = max(answered or asked, default=session.started_at)
        question = session.question(drill.question)
        yield LoggedDrill(session, at, question, drill, session_depth(session, drill))


def attempts_of(session: Session) -> Iterator[LoggedAttempt]:
    """Yield the graded submissions from one session, except those that could not be imported."""
    opened = _turns_by_task(session)
    for number, work in enumerate(session.works):
        turns = opened[number] if number < len(opened) else []
        for place, attempt in enumerate(work.attempts, 1):
            if attempt.report is None or not attempt.has_loaded:
                continue
            # Count only hints given before the attempt.
            hints = sum(turn.move is MoveKind.HINT and turn.at < attempt.at for turn in turns)
            is_timed_pass = attempt.report.verdict is Verdict.PASSED and not hints
            waited = attempt.at - turns[0].at if turns else None
            yield LoggedAttempt(
                f"{session.id}-{work.task}-{place}",
                attempt.at,
                work.task,
                "challenge" if session.is_challenge else "interview",
                attempt.source,
                attempt.report,
                seconds_taken(session, work) if is_timed_pass else waited,
                min(hints, work.hints),
            )


def _turns_by_task(session: Session) -> list[list[Turn]]:
    """Return the turns of each opened coding task, starting with the turn that opened it."""
    parts = [index for index, part in enumerate(session.plan.parts) if part.kind == "task"]
    turns_by_part = ([turn for turn in session.transcript if turn.part == part] for part in parts)
    return [turns for turns in turns_by_part if turns]


def masked_attempts(log: PracticeLog, mask: Mask) -> list[LoggedAttempt]:
    """Return the attempts made outside sessions, with secrets masked. Raises LogError if the log cannot be used."""
    return [from_plain(LoggedAttempt, masked(to_plain(attempt), mask)) for attempt in log.attempts()]


def with_current_ids(session: Session, names: TaskNames) -> Session:
    """Return the session with current task ids, so that the session counts toward renamed tasks."""
    if not any(task.id in names.current for task in session.tasks):
        return session
    parts = (replace(part, id=names.id_of(part.id)) if part.kind == "task" else part for part in session.plan.parts)
    return replace(
        session,
        plan=replace(session.plan, parts=tuple(parts)),
        tasks=tuple(replace(task, id=names.id_of(task.id)) for task in session.tasks),
        works=tuple(replace(work, task=names.id_of(work.task)) for work in session.works),
    )


def read_history(log: PracticeLog, mask: Mask, names: TaskNames | None = None) -> History:
    """Return the whole practice history. Unreadable sessions are left out and described.

    Raises LogError if the log cannot be used.
    """
    names = names or TaskNames()
    sessions, unreadable = [], []
    for row in reversed(log.sessions()):
        try:
            sessions.append(with_current_ids(fold(log.whole(row.id, mask)), names))
        except LogDamaged as error:
            unreadable.append(error.message)
        except (InvalidTransition, LookupError, ValueError) as error:
            still = f"you can still read it with interviewer log {row.id} --transcript"
            unreadable.append(f"session {row.id} cannot be replayed under the current rules ({error}); {still}")
    loose = (replace(attempt, task=names.id_of(attempt.task)) for attempt in masked_attempts(log, mask))
    return History(tuple(sessions), tuple(loose), tuple(unreadable), names)
