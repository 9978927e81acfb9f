"""What the looks at the practice log show: all of it masked, printable, and derived anew from the log."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager

import click

from interviewer.cli import log_listing as listing
from interviewer.cli.listing import table
from interviewer.exits import BAD_INPUT, OK, Failure, print_json
from interviewer.interview.context import Kit
from interviewer.interview.sessions import load_session
from interviewer.log.history import History, read_history
from interviewer.log.progress import startable_cards
from interviewer.log.reports.overview import NOTHING_YET
from interviewer.log.schedule import DAILY_MAX, due_items, end_of_day
from interviewer.log.search import search
from interviewer.log.transcript import transcript_lines
from interviewer.log.trends import TopicTrend, compare_attempts, mark_agreement, topic_trends
from interviewer.sanitize import masker, printable
from interviewer.session.debrief import debrief
from interviewer.session.engine import fold
from interviewer.session.events import dump_event


@contextmanager
def failures() -> Iterator[None]:
    """Do nothing: the command line itself catches every error."""
    yield


def say(text: str, *, is_error: bool = False) -> None:
    """Print a text without anything that a terminal would obey."""
    click.echo(printable(text), err=is_error)


def history_of(kit: Kit) -> History:
    """Return all practice, masked; what was set aside or cannot be read is told on standard error."""
    history = read_history(kit.log, masker(kit.environ))
    for notice in (*kit.log.notices, *history.unreadable):
        say(f"note: {notice}", is_error=True)
    return history


def topics_of(kit: Kit, history: History) -> list[TopicTrend]:
    """Return the practised topics; the catalogue is read only when an attempt outside interviews asks for it."""
    known = {task.id: task.topics for task in kit.full_tasks} if history.loose_attempts else {}
    return topic_trends(history, known)


def sessions(kit: Kit, *, as_json: bool) -> int:
    """List the sessions with what came of each."""
    with failures():
        history = history_of(kit)
        lines = kit.log.sessions()
    if as_json:
        print_json({"sessions": listing.session_objects(lines, history)})
    elif not lines:
        say("No sessions yet: interviewer interview starts one.")
    else:
        say(table(listing.session_rows(lines, history)))
    return OK


def one_session(kit: Kit, name: str, *, is_transcript: bool, as_json: bool) -> int:
    """Show one session: its debrief, its moves, or all its events."""
    with failures():
        events = kit.log.events(name, masker(kit.environ))
        if not events or not (as_json or is_transcript):
            # Whose rules have changed since can still be read move by move; only its debrief needs the state.
            load_session(kit.log, name)
    if as_json:
        print_json({"session": name, "events": [json.loads(dump_event(one)) for one in events]})
    elif is_transcript:
        say("\n".join(transcript_lines(events)))
    else:
        say(debrief(fold(events)))
    return OK


def found(kit: Kit, wanted: str, *, as_json: bool) -> int:
    """Search questions, answers and code."""
    with failures():
        places = search(history_of(kit), wanted)
    if as_json:
        print_json({"found": [vars(one) for one in places]})
    elif not places:
        say(f"Nothing in the log holds “{wanted}”.")
    else:
        say(table(listing.found_rows(places)))
    return OK


def attempts(kit: Kit, task: str, pair: tuple[int, int] | None, *, as_json: bool) -> int:
    """List the attempts at one task, or compare two of them by their numbers."""
    with failures():
        past = history_of(kit).attempts(task)
        if not past:
            kit.task(task)
    if pair and max(pair) > len(past):
        raise Failure(BAD_INPUT, "input", f"--compare {max(pair)}: {task} has {len(past)} attempts")
    if pair:
        compared = compare_attempts(past[pair[0] - 1], past[pair[1] - 1])
        if as_json:
            print_json(listing.comparison_object(compared))
        else:
            say(listing.comparison_text(compared))
    elif as_json:
        print_json({"task": task, "attempts": [listing.attempt_object(one) for one in past]})
    else:
        say(table(listing.attempt_rows(past)) or f"No attempt at {task} yet: interviewer start {task}")
    return OK


def trends(kit: Kit, *, as_json: bool) -> int:
    """Show depth and verdicts by topic, and own marks against the machine's."""
    with failures():
        history = history_of(kit)
        by_topic = topics_of(kit, history)
    if as_json:
        print_json(listing.trends_object(by_topic, mark_agreement(history)))
    else:
        say("\n".join(listing.trend_lines(by_topic, mark_agreement(history))) or NOTHING_YET)
    return OK


def review(kit: Kit, *, as_json: bool) -> int:
    """List what is due today, at most the daily number of entries."""
    now = time.time()
    with failures():
        cards = startable_cards(history_of(kit), kit.known_content)
        entries = due_items(cards, end_of_day(now))
    today, left = entries[:DAILY_MAX], len(entries) - DAILY_MAX
    later = [one.due_at for one in cards if one.due_at > end_of_day(now)]
    if as_json:
        print_json(listing.review_object(today, now, len(entries), len(cards), min(later, default=None)))
        return OK
    if not cards:
        say(f"{NOTHING_YET} What you practise comes back here when it is due.")
        return OK
    say("\n".join(listing.due_lines(today, now)) or "Nothing is due today.")
    if left > 0:
        say(f"{left} more wait; a day holds at most {DAILY_MAX}.")
    if later:
        say(f"Next after today: {listing.local_time(min(later))}.")
    return OK
