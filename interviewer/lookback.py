"""The practice log for a screen: what came of each session, overview, every move, places of words; all masked."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from interviewer.log.history import drills_of, read_history
from interviewer.log.reports.markup import printable
from interviewer.log.reports.overview import came_of, overview
from interviewer.log.search import search
from interviewer.log.transcript import move_lines
from interviewer.log.trends import topics
from interviewer.practice import due_of
from interviewer.sanitize import masker

if TYPE_CHECKING:
    from interviewer.interview.context import Kit
    from interviewer.session.state import Session


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
