"""What is due when: the reviews replayed through FSRS; a pure function of history and time that stores nothing.

Settings: 90 % retention, no learning steps (they would bring a card back after ten minutes) and no fuzz (the same
history must give the same day). All times are UTC inside; the caller says where its day ends.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from interviewer.log.reviews import Card, Review

RETENTION = 0.9
DAILY_MAX = 20
DAY_SECONDS = 24 * 60 * 60


@dataclass(frozen=True)
class Scheduled:
    """Hold one card with its last review. `due_at` is in seconds since 1970; `count` how often it was reviewed."""

    card: Card
    due_at: float
    last: Review
    count: int


@dataclass(frozen=True)
class Due:
    """Hold what can be started at once: a question with the rungs that are due, or a task."""

    kind: Literal["question", "task"]
    id: str
    rungs: tuple[int, ...]
    due_at: float
    last: Review

    @property
    def start(self) -> str:
        """Return the command that starts it."""
        if self.kind == "question":
            return f"interviewer interview --question {self.id}"
        return f"interviewer challenge {self.id}"

    def overdue_days(self, at: float) -> float:
        """Return for how many days it has been due; below 0 when it is due later that day."""
        return (at - self.due_at) / DAY_SECONDS


def schedule(reviews: Iterable[Review]) -> list[Scheduled]:
    """Return every card with its next date, earliest first.

    Source: FSRS-6 with its default parameters; fitting them wants hundreds of reviews and torch.
    """
    from fsrs import Card as Memory
    from fsrs import Rating, Scheduler

    scheduler = Scheduler(desired_retention=RETENTION, learning_steps=(), relearning_steps=(), enable_fuzzing=False)
    memories: dict[Card, Any] = {}
    scheduled: dict[Card, Scheduled] = {}
    for review in sorted(reviews, key=lambda one: one.at):
        known = scheduled.get(review.card)
        if review.only_if_known and not known:
            continue
        when = datetime.fromtimestamp(review.at, UTC)
        # With an id and a date of its own: otherwise the library reads the clock and sleeps a millisecond.
        memory = memories.get(review.card) or Memory(card_id=0, due=when)
        rating = Rating[review.rating.value.capitalize()]
        memories[review.card], _ = scheduler.review_card(memory, rating, when)
        due_at = memories[review.card].due.timestamp()
        scheduled[review.card] = Scheduled(review.card, due_at, review, known.count + 1 if known else 1)
    return sorted(scheduled.values(), key=lambda one: (one.due_at, one.card))


def due(cards: Iterable[Scheduled], until: float) -> list[Due]:
    """Return what is due at this time, most overdue first; the rungs of one question are one entry."""
    groups: dict[tuple[str, str], list[Scheduled]] = {}
    for one in sorted(cards, key=lambda one: (one.due_at, one.card)):
        if one.due_at <= until:
            groups.setdefault((one.card.kind, one.card.id), []).append(one)
    return [
        Due(
            group[0].card.kind,
            group[0].card.id,
            tuple(sorted(one.card.rung for one in group if one.card.rung)),
            group[0].due_at,
            group[0].last,
        )
        for group in groups.values()
    ]


def end_of_day(at: float) -> float:
    """Return the last moment of the local day: what is due this evening can be done this morning."""
    # Without a zone: with the offset of now, the day on which the clocks change would end an hour off.
    return datetime.fromtimestamp(at).replace(hour=23, minute=59, second=59, microsecond=999999).timestamp()
