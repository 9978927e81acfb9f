"""What has been practised so far, in the few facts that lists and choices need; read from the log, nothing stored.

What reads the log is imported when it is read: home draws its first picture without it.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from interviewer.log.history import drills_of, read_history
from interviewer.log.reports.markup import printable
from interviewer.log.reports.overview import came_of, overview
from interviewer.log.search import search
from interviewer.log.transcript import move_lines
from interviewer.log.trends import topics
from interviewer.sanitize import masker

if TYPE_CHECKING:
    from interviewer.interview.context import Kit
    from interviewer.log.history import History
    from interviewer.log.schedule import Due, Scheduled
    from interviewer.session.scoring import Depth
    from interviewer.session.state import Session


@dataclass(frozen=True)
class QuestionPast:
    """Hold what a list shows of a question's past. `depth` is None when nothing judged the last time."""

    count: int
    last_at: float
    depth: Depth | None


@dataclass(frozen=True)
class TaskPast:
    """Hold what a list shows of a task's past. `best_seconds` is the quickest pass in time and without hints."""

    attempts: int
    last_at: float
    has_passed: bool
    best_seconds: float | None


@dataclass(frozen=True)
class Practice:
    """Hold the past by question and by task, what is due today, most overdue first, and when something is due next."""

    questions: Mapping[str, QuestionPast]
    tasks: Mapping[str, TaskPast]
    due: tuple[Due, ...] = ()
    next_due_at: float | None = None


NOTHING_YET = Practice({}, {})


def read_practice(kit: Kit) -> Practice:
    """Return what the log holds; folds every session, so call it off the event loop.

    Raises: LogError, BankError, TaskError.
    """
    from interviewer.log.history import read_history
    from interviewer.log.schedule import DAILY_MAX, end_of_day
    from interviewer.sanitize import masker

    history, now = read_history(kit.log, masker(kit.environ)), time.time()
    today, cards = due_of(kit, history, now)
    later = min((one.due_at for one in cards if one.due_at > end_of_day(now)), default=None)
    return Practice(_questions(history), _tasks(history), tuple(today[:DAILY_MAX]), later)


def due_of(kit: Kit, history: History, at: float) -> tuple[list[Due], list[Scheduled]]:
    """Return what is due by the end of this day, and all cards, of what can still be started.

    Raises: BankError, TaskError.
    """
    from interviewer.log.schedule import due, end_of_day, reviews_of, schedule

    reviews = reviews_of(history)
    if not reviews:
        return [], []  # nothing else is read for nothing
    questions = (*kit.questions, *kit.own_questions.drafts)
    there = {"question": {one.id for one in questions}, "task": {one.id for one in kit.full_tasks}}
    cards = [one for one in schedule(reviews) if one.card.id in there[one.card.kind]]
    return due(cards, end_of_day(at)), cards


def _questions(history: History) -> dict[str, QuestionPast]:
    found: dict[str, QuestionPast] = {}
    for past in history.drills():
        if past.drill.answers:
            known = found.get(past.question.id)
            found[past.question.id] = QuestionPast(1 + (known.count if known else 0), past.at, past.depth)
    return found


def _tasks(history: History) -> dict[str, TaskPast]:
    from interviewer.session.scoring import seconds_taken

    times: dict[str, list[float]] = {}
    for session in history.sessions:
        for work in session.works:
            if (seconds := seconds_taken(session, work)) is not None:
                times.setdefault(work.task, []).append(seconds)
    found: dict[str, TaskPast] = {}
    for attempt in history.attempts():
        known = found.get(attempt.task, TaskPast(0, 0.0, False, min(times.get(attempt.task, ()), default=None)))
        has_passed = known.has_passed or attempt.report.verdict.value == "passed"
        found[attempt.task] = TaskPast(known.attempts + 1, attempt.at, has_passed, known.best_seconds)
    return found


@dataclass(frozen=True)
class Place:
    """Hold one place that holds the words: the session (or attempt), what it is, and the words around."""

    session: str
    what: str
    excerpt: str


@dataclass(frozen=True)
class Outcome:
    """Hold what came of one session: its minutes, depths and verdicts in a line, and the topics it met."""

    minutes: int
    words: str
    topics: tuple[str, ...]


def overview_text(kit: Kit) -> str:
    """Return what the weeks add up to, as Markdown. Raises: LogError."""
    history = read_history(kit.log, masker(kit.environ))
    today, _ = due_of(kit, history, time.time())
    task_topics = {task.id: task.topics for task in kit.full_tasks}
    return overview(history, topics(history, task_topics), today)


def outcomes(kit: Kit) -> dict[str, Outcome]:
    """Return what came of each session that can be read, by its id. Raises: LogError."""
    sessions = read_history(kit.log, masker(kit.environ)).sessions
    return {
        one.id: Outcome(round(one.elapsed_seconds / 60), printable(came_of(one)), tuple(sorted(_topics(one))))
        for one in sessions
    }


def _topics(session: Session) -> set[str]:
    met = [*(past.question.topics for past in drills_of(session)), *(task.topics for task in session.tasks)]
    return {topic for topics in met for topic in topics}


def transcript_text(kit: Kit, session: str) -> str:
    """Return a session move by move, as plain text. Raises: LogError."""
    return printable("\n\n".join(move_lines(kit.log.events(session, masker(kit.environ)))))


def places_with(kit: Kit, words: str) -> list[Place]:
    """Return every place that holds the words, latest first. Raises: LogError."""
    found = search(read_history(kit.log, masker(kit.environ)), words)
    return [
        Place(one.where, f"{time.strftime('%d %b %Y', time.localtime(one.at))} · {one.kind} · {one.part}", one.excerpt)
        for one in found
    ]
