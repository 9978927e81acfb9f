"""Computes practice progress for lists and screens; it is derived from the log each time and never stored.

Every function takes a `History`, whose texts are already masked, so no result can leak a key.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from graders.verdict import Verdict
from interviewer.log.attempts import LoggedAttempt
from interviewer.log.history import History, drills_of
from interviewer.log.reports.overview import overview, session_results
from interviewer.log.schedule import DAILY_MAX, DueItem, ScheduledCard, due_items, end_of_day, reviews_of, schedule
from interviewer.log.transcript import transcript_lines
from interviewer.log.trends import best_seconds, topic_trends
from interviewer.sanitize import printable
from interviewer.session.events import Event
from interviewer.session.scoring import Depth
from interviewer.session.state import Session

AROUND_CHARACTERS = 50


@dataclass(frozen=True)
class SearchMatch:
    """One search match.

    `where` is the id of the session or attempt, `part` is the id of the question or task, and `kind` is "asked", "said"
    or "code".
    """

    where: str
    at: float
    part: str
    kind: str
    excerpt: str


def search(history: History, wanted: str) -> list[SearchMatch]:
    """Return every match for these words, ignoring case, most recent first."""
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
    """Yield every text of a session as a match whose excerpt is the whole text."""
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


@dataclass(frozen=True)
class QuestionProgress:
    """A question's history as shown in a list. `depth` is None if the latest answers were not judged."""

    count: int
    last_at: float
    depth: Depth | None


@dataclass(frozen=True)
class TaskProgress:
    """A task's history as shown in a list.

    `best_seconds` is the time of the fastest pass within the limit and without hints.
    """

    attempts: int
    last_at: float
    has_passed: bool
    best_seconds: float | None


@dataclass(frozen=True)
class Progress:
    """Practice history by question id and by task id or alias, plus the due reviews.

    `due` lists the reviews due today, most overdue first. `next_due_at` is the due time of the next card after today,
    in seconds since 1970; None if there is no such card.
    """

    questions: Mapping[str, QuestionProgress]
    tasks: Mapping[str, TaskProgress]
    due: tuple[DueItem, ...] = ()
    next_due_at: float | None = None


NO_PROGRESS = Progress({}, {})


@dataclass(frozen=True)
class KnownContent:
    """The questions and tasks that can be started now: the question ids, and each task's topics by task id."""

    questions: frozenset[str]
    task_topics: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class SessionOutcome:
    """The result of one session: its length in minutes, its depths and verdicts in one line, and its topics."""

    minutes: int
    text: str
    topics: tuple[str, ...]


@dataclass(frozen=True)
class SearchResult:
    """One match as shown on a screen: the id of the session or attempt, a description, and the surrounding text."""

    session: str
    description: str
    excerpt: str


def progress_of(history: History, content: Callable[[], KnownContent], at: float) -> Progress:
    """Return the progress at time `at`, in seconds since 1970."""
    cards, today_ends = startable_cards(history, content), end_of_day(at)
    next_due_at = min((card.due_at for card in cards if card.due_at > today_ends), default=None)
    tasks = _tasks(history)
    tasks |= {alias: tasks[task_id] for alias, task_id in history.names.current.items() if task_id in tasks}
    return Progress(_questions(history), tasks, tuple(due_items(cards, today_ends)[:DAILY_MAX]), next_due_at)


def startable_cards(history: History, content: Callable[[], KnownContent]) -> list[ScheduledCard]:
    """Return the scheduled cards of questions and tasks that still exist, earliest first.

    `content` is called only if there is a review, because reading the question files is slow.
    """
    reviews = reviews_of(history)
    if not reviews:
        return []
    known = content()
    ids = {"question": known.questions, "task": known.task_topics.keys()}
    return [scheduled for scheduled in schedule(reviews) if scheduled.card.id in ids[scheduled.card.kind]]


def _questions(history: History) -> dict[str, QuestionProgress]:
    questions: dict[str, QuestionProgress] = {}
    for past in history.drills():
        if past.drill.answers:
            earlier = questions.get(past.question.id)
            count = 1 + (earlier.count if earlier else 0)
            questions[past.question.id] = QuestionProgress(count, past.at, past.depth)
    return questions


def _tasks(history: History) -> dict[str, TaskProgress]:
    attempts: dict[str, list[LoggedAttempt]] = {}
    for attempt in history.attempts():
        attempts.setdefault(attempt.task, []).append(attempt)
    return {
        task: TaskProgress(
            len(tries),
            tries[-1].at,
            any(attempt.report.verdict is Verdict.PASSED for attempt in tries),
            best_seconds(tries),
        )
        for task, tries in attempts.items()
    }


def overview_text(history: History, content: Callable[[], KnownContent], at: float) -> str:
    """Return topics, tasks, misconceptions and the reviews due at this time, as Markdown."""
    today = due_items(startable_cards(history, content), end_of_day(at))
    return overview(history, topic_trends(history, content().task_topics), today)


def session_outcomes(history: History) -> dict[str, SessionOutcome]:
    """Return the outcome of each readable session, by session id."""
    hidden = history.tasks_with_hidden_topics()
    return {
        session.id: SessionOutcome(
            round(session.elapsed_seconds / 60),
            printable(session_results(session)),
            tuple(sorted(_topics_of(session, hidden))),
        )
        for session in history.sessions
    }


def _topics_of(session: Session, hidden: set[str]) -> set[str]:
    asked = {topic for past in drills_of(session) for topic in past.question.topics}
    return asked | {topic for task in session.tasks if task.id not in hidden for topic in task.topics}


def transcript_text(events: Iterable[Event]) -> str:
    """Return the events of a session as plain text, one paragraph each."""
    return printable("\n\n".join(transcript_lines(events)))


def search_results(history: History, words: str) -> list[SearchResult]:
    """Return every match for these words, most recent first."""
    return [
        SearchResult(
            match.where,
            f"{time.strftime('%d %b %Y', time.localtime(match.at))} · {match.kind} · {history.title_of(match.part)}",
            match.excerpt,
        )
        for match in search(history, words)
    ]
