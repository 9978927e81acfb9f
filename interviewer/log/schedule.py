"""Computes when each rung of a question and each task is due for review, from the history and the time alone.

A card is either one rung of a question or a whole task. `reviews_of` derives one rating per card and occasion, with its
reason:
- Again: the candidate failed the rung, an answer at the rung showed a misconception, or the candidate failed an earlier
  rung (only for a card that was reviewed before). A task that was not passed is also rated Again.
- Hard: the rung was passed after a hint, after a probe, or only in part. For a task: passed after a failed attempt or a
  hint.
- Good: the rung was passed on the first try. For a task: passed on the first attempt.
- Easy: the answer also covered the next rung, before the interviewer asked about it. Tasks are never rated Easy,
  because the time spent in an editor depends on typing as much as on knowledge.

Answers that were not judged, or that the judge left undecided, produce no rating. Only an examiner's findings count.
The candidate's own marks are stored next to the rating and never change it: they are on a different scale.

`schedule` replays the reviews through FSRS with a target retention of 90%. `schedule` disables learning steps, which
would bring a card back after ten minutes, and fuzzing, because the same history must always yield the same due date.
`schedule` computes in UTC; the caller decides when the local day ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from itertools import groupby
from typing import Any, Literal

from graders.verdict import Verdict
from interviewer.log.attempts import LoggedAttempt
from interviewer.log.history import History, LoggedDrill, attempts_of
from interviewer.session.assessment import State
from interviewer.session.phrases import pluralize, verdict_text
from interviewer.session.question import Question
from interviewer.session.scoring import checked_rungs, is_rung_passed, rung_share
from interviewer.session.state import Drill

# Submissions for the same task that are at most this far apart form one sitting, and the card is rated once per
# sitting.
SITTING_SECONDS = 2 * 60 * 60
RETENTION = 0.9
DAILY_MAX = 20
DAY_SECONDS = 24 * 60 * 60


class Rating(StrEnum):
    """How well a card was remembered, as an FSRS rating."""

    AGAIN = "again"
    HARD = "hard"
    GOOD = "good"
    EASY = "easy"


@dataclass(frozen=True, order=True)
class Card:
    """The item under review: a rung of a question, counted from 1, or a task, which has rung 0."""

    kind: Literal["question", "task"]
    id: str
    rung: int = 0


@dataclass(frozen=True)
class Review:
    """One rating. `own` is the fraction of points the candidate marked as covered; it does not affect the rating.

    `only_if_known` is true if the interviewer did not ask about the card's rung because an earlier rung was failed.
    Such a review may update an existing card, but it never creates a new one.
    """

    card: Card
    at: float
    rating: Rating
    why: str
    own: float | None = None
    only_if_known: bool = False


def reviews_of(history: History) -> list[Review]:
    """Return every review derived from the history, earliest first."""
    reviews = [review for past in history.drills() if past.drill.is_over for review in _drill_reviews(past)]
    for session in history.sessions:
        inside = sorted(attempts_of(session), key=lambda attempt: attempt.task)
        reviews += [_task_review(list(sitting)) for _, sitting in groupby(inside, key=lambda attempt: attempt.task)]
    reviews += [
        _task_review(sitting)
        for sitting in _sittings(attempt for attempt in history.loose_attempts if attempt.has_loaded)
    ]
    return sorted(reviews, key=lambda review: (review.at, review.card))


def _drill_reviews(past: LoggedDrill) -> Iterator[Review]:
    if not past.is_graded:
        return
    for number, rung in enumerate(past.question.rungs, 1):
        rated = _rate(past.question, past.drill, number)
        if rated:
            card = Card("question", past.question.id, number)
            was_met = any(max(1, answer.rung) == number for answer in past.drill.answers)
            is_guess = rated[0] is Rating.AGAIN and not was_met
            yield Review(card, past.at, *rated, past.own_share(rung.points), only_if_known=is_guess)


def _rate(question: Question, drill: Drill, rung: int) -> tuple[Rating, str] | None:
    tries = [answer for answer in drill.answers if answer.rung == rung and answer.has_passed is not None]
    share = rung_share(question, drill, rung)
    beliefs = _beliefs_at(drill, rung)
    if beliefs:
        return Rating.AGAIN, f"stated a misconception ({beliefs[0]})"
    if not is_rung_passed(question, drill, rung):
        if tries:
            return None if _is_undecided(question, drill, rung) else (Rating.AGAIN, "not passed")
        is_beyond = drill.broke_at is not None and rung > drill.broke_at
        return (Rating.AGAIN, f"stopped earlier, at rung {drill.broke_at}") if is_beyond else None
    if rung in drill.hints or (tries and not any(answer.has_passed and answer.weight >= 1 for answer in tries)):
        return Rating.HARD, "passed with help"
    if share < 1 and rung not in checked_rungs(drill):
        return Rating.HARD, "passed, but some points were missed"
    next_unasked = rung < len(question.rungs) and not any(answer.rung == rung + 1 for answer in drill.answers)
    if next_unasked and is_rung_passed(question, drill, rung + 1):
        return Rating.EASY, "passed, and covered the next rung without being asked"
    return Rating.GOOD, "passed"


def _beliefs_at(drill: Drill, rung: int) -> list[str]:
    """Return the uncorrected misconceptions in the answers at this rung; the opening answer counts for rung 1."""
    answers = [answer for answer in drill.answers if max(1, answer.rung) == rung and answer.assessment.is_graded]
    found = [belief.id for answer in answers for belief in answer.assessment.misconceptions]
    return [belief for belief in found if belief not in drill.corrected]


def _is_undecided(question: Question, drill: Drill, rung: int) -> bool:
    wanted = question.rungs[rung - 1].points
    last = [answer for answer in drill.answers if answer.rung == rung and answer.assessment.is_graded][-1]
    return any(last.assessment.state_of(point) is State.UNDECIDED for point in wanted)


def _sittings(attempts: Iterable[LoggedAttempt]) -> Iterator[list[LoggedAttempt]]:
    """Yield the attempts outside sessions, one list per sitting and task."""
    for _, group in groupby(
        sorted(attempts, key=lambda attempt: (attempt.task, attempt.at)), key=lambda attempt: attempt.task
    ):
        sitting: list[LoggedAttempt] = []
        for attempt in group:
            if sitting and attempt.at - sitting[-1].at > SITTING_SECONDS:
                yield sitting
                sitting = []
            sitting.append(attempt)
        yield sitting


def _task_review(sitting: list[LoggedAttempt]) -> Review:
    card = Card("task", sitting[0].task)
    passed = next((attempt for attempt in sitting if attempt.report.verdict is Verdict.PASSED), None)
    if passed is None:
        return Review(card, sitting[-1].at, Rating.AGAIN, f"not passed ({verdict_text(sitting[-1].report.verdict)})")
    if passed is sitting[0] and not passed.hints:
        return Review(card, passed.at, Rating.GOOD, "passed on the first attempt")
    help_taken = f" and {pluralize(passed.hints, 'hint')}" if passed.hints else ""
    return Review(
        card, passed.at, Rating.HARD, f"passed after {pluralize(sitting.index(passed) + 1, 'attempt')}{help_taken}"
    )


@dataclass(frozen=True)
class ScheduledCard:
    """One card with its last review. `due_at` is in seconds since 1970; `count` is the number of reviews."""

    card: Card
    due_at: float
    last: Review
    count: int


@dataclass(frozen=True)
class DueItem:
    """One item to practice: a question with its due rungs, or a task."""

    kind: Literal["question", "task"]
    id: str
    rungs: tuple[int, ...]
    due_at: float
    last: Review

    @property
    def start_command(self) -> str:
        """Return the command that starts this question or task."""
        if self.kind == "question":
            return f"interviewer interview --question {self.id}"
        return f"interviewer challenge {self.id}"

    def overdue_days(self, at: float) -> float:
        """Return the fractional number of days since the item was due; negative if it is not due yet."""
        return (at - self.due_at) / DAY_SECONDS


def schedule(reviews: Iterable[Review]) -> list[ScheduledCard]:
    """Return every card with its next due date, earliest first.

    Source: FSRS-6 with its default parameters. Fitting the parameters would require both hundreds of reviews and torch.
    """
    # Import fsrs lazily: every log command imports this module, but few of them schedule reviews.
    from fsrs import Card as Memory
    from fsrs import Rating, Scheduler

    scheduler = Scheduler(desired_retention=RETENTION, learning_steps=(), relearning_steps=(), enable_fuzzing=False)
    memories: dict[Card, Any] = {}
    scheduled: dict[Card, ScheduledCard] = {}
    for review in sorted(reviews, key=lambda review: review.at):
        known = scheduled.get(review.card)
        if review.only_if_known and not known:
            continue
        when = datetime.fromtimestamp(review.at, UTC)
        # Pass an explicit id and date; otherwise fsrs reads the clock and sleeps for a millisecond.
        memory = memories.get(review.card) or Memory(card_id=0, due=when)
        rating = Rating[review.rating.value.capitalize()]
        memories[review.card], _ = scheduler.review_card(memory, rating, when)
        due_at = memories[review.card].due.timestamp()
        scheduled[review.card] = ScheduledCard(review.card, due_at, review, known.count + 1 if known else 1)
    return sorted(scheduled.values(), key=lambda card: (card.due_at, card.card))


def due_items(cards: Iterable[ScheduledCard], until: float) -> list[DueItem]:
    """Return the items due by this time, most overdue first; all due rungs of a question form one item."""
    groups: dict[tuple[str, str], list[ScheduledCard]] = {}
    for scheduled in sorted(cards, key=lambda scheduled: (scheduled.due_at, scheduled.card)):
        if scheduled.due_at <= until:
            groups.setdefault((scheduled.card.kind, scheduled.card.id), []).append(scheduled)
    return [
        DueItem(
            group[0].card.kind,
            group[0].card.id,
            tuple(sorted(scheduled.card.rung for scheduled in group if scheduled.card.rung)),
            group[0].due_at,
            group[0].last,
        )
        for group in groups.values()
    ]


def end_of_day(at: float) -> float:
    """Return the last moment of this local day, so reviews due in the evening are available in the morning."""
    # Use a naive datetime: the current UTC offset would be off by an hour on days when the clocks change.
    return datetime.fromtimestamp(at).replace(hour=23, minute=59, second=59, microsecond=999999).timestamp()
