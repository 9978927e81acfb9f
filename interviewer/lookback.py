"""The practice log as texts for a screen: overview, one session move by move, places that hold words; all masked."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from interviewer.kit_error import log_errors
from interviewer.log.history import read_history
from interviewer.log.markup import printable
from interviewer.log.masking import masker
from interviewer.log.overview import overview
from interviewer.log.reviews import reviews_of
from interviewer.log.schedule import due, end_of_day, schedule
from interviewer.log.search import search
from interviewer.log.transcript import move_lines
from interviewer.log.trends import topics

if TYPE_CHECKING:
    from interviewer.kit import Kit


@dataclass(frozen=True)
class Place:
    """Hold one place that holds the words: the session (or attempt), what it is, and the words around."""

    session: str
    what: str
    excerpt: str


def overview_text(kit: Kit) -> str:
    """Return what the weeks add up to, as Markdown. Raises: KitError."""
    with log_errors():
        history = read_history(kit.log, masker(kit.environ))
        reviews = reviews_of(history)
        today = due(schedule(reviews), end_of_day(time.time())) if reviews else []
        task_topics = {task.id: task.topics for task in kit.full_tasks}
        return overview(history, topics(history, task_topics), today)


def transcript_text(kit: Kit, session: str) -> str:
    """Return a session move by move, as plain text. Raises: KitError."""
    with log_errors():
        return printable("\n\n".join(move_lines(kit.log.events(session, masker(kit.environ)))))


def places_with(kit: Kit, words: str) -> list[Place]:
    """Return every place that holds the words, latest first. Raises: KitError."""
    with log_errors():
        found = search(read_history(kit.log, masker(kit.environ)), words)
    return [
        Place(one.where, f"{time.strftime('%d %b %Y', time.localtime(one.at))} · {one.kind} · {one.part}", one.excerpt)
        for one in found
    ]
