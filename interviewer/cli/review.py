"""List the reviews due today, and the command that starts each of them."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any

import click

from interviewer.cli.log import history_of
from interviewer.cli.options import AS_JSON, open_context
from interviewer.cli.output import echo, local_time, print_json
from interviewer.errors import OK
from interviewer.log.history import History
from interviewer.log.progress import startable_cards
from interviewer.log.reports.overview import NOTHING_YET, due_text
from interviewer.log.schedule import DAILY_MAX, DueItem, due_items, end_of_day
from interviewer.session.phrases import pluralize


@click.command()
@AS_JSON
def review(as_json: bool) -> int:
    """List the reviews due today, most overdue first, each with the command to start it.

    Reviews are scheduled with FSRS at 90% retention. The ratings (again, hard, good or easy) come from the examiner's
    findings. Your own marks are shown next to the ratings and do not affect the schedule.
    """
    now = time.time()
    with open_context() as context:
        history = history_of(context)
        cards = startable_cards(history, context.known_content)
        entries = due_items(cards, end_of_day(now))
    today, left = entries[:DAILY_MAX], len(entries) - DAILY_MAX
    later = [card.due_at for card in cards if card.due_at > end_of_day(now)]
    if as_json:
        print_json(review_object(today, now, len(entries), len(cards), min(later, default=None)))
        return OK
    if not cards:
        nothing = NOTHING_YET if history.is_empty else "Nothing is scheduled for review yet."
        echo(f"{nothing} What you practice shows up here when it is due.")
        return OK
    echo("\n".join(due_lines(history, today, now)) or "Nothing is due today.")
    if left > 0:
        echo(f"Not listed: {pluralize(left, 'more due review')}; at most {DAILY_MAX} are listed per day.")
    if later:
        echo(f"Next due: {local_time(min(later))}.")
    return OK


def review_object(
    today: Sequence[DueItem], now: float, due_count: int, card_count: int, next_at: float | None
) -> dict[str, Any]:
    """Return the object for `review --json`; times are seconds since 1970.

    `own_share` is the fraction of points that the candidate marked as covered; it does not affect the rating.
    """
    entries = [
        {
            "kind": entry.kind,
            "id": entry.id,
            "rungs": list(entry.rungs),
            "due_at": entry.due_at,
            "overdue_days": round(max(0.0, entry.overdue_days(now)), 2),
            "last": {"at": entry.last.at, "rating": entry.last.rating.value, "why": entry.last.why},
            "own_share": entry.last.own,
            "start": entry.start_command,
        }
        for entry in today
    ]
    return {"now": now, "due": entries, "due_count": due_count, "cards": card_count, "next_at": next_at}


def due_lines(history: History, today: Sequence[DueItem], now: float) -> Iterator[str]:
    """Yield two lines for each review: the review and how overdue it is, and the command that starts the review."""
    for entry in today:
        days = max(0, (date.fromtimestamp(now) - date.fromtimestamp(entry.due_at)).days)
        late = f"{pluralize(days, 'day')} overdue" if days else "due today"
        yield f"{late}: {due_text(history, entry)}"
        yield f"    {entry.start_command}"
