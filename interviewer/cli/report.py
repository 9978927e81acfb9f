"""Print the report of a session or of all practice, or write it as an HTML page."""

from __future__ import annotations

import math
import sys
import time
from dataclasses import replace
from pathlib import Path

import click

from interviewer.cli.files import require_new, write_file
from interviewer.cli.log import history_of, topics_of
from interviewer.cli.options import FILE, open_context
from interviewer.cli.output import echo
from interviewer.errors import OK
from interviewer.interview.sessions import load_session
from interviewer.log.progress import startable_cards
from interviewer.log.reports.html import html_report
from interviewer.log.reports.lab import load_labs
from interviewer.log.reports.overview import overview
from interviewer.log.schedule import DAILY_MAX, due_items, end_of_day
from interviewer.session.debrief import debrief, without_escapes


@click.command()
@click.argument("session", required=False)
@click.option("--html", type=FILE, metavar="FILE", help="Write a self-contained HTML page instead.")
@click.option("--force", is_flag=True, help="With --html: overwrite FILE if it exists.")
def report(session: str | None, html: Path | None, force: bool) -> int:
    """Print a Markdown report of one session, or of all your practice."""
    if force and not html:
        raise click.UsageError("--force needs --html.")
    if html and not force:
        require_new(html)
    now = time.time()
    with open_context() as context:
        if session:
            load_session(context.log, session)
        history = history_of(context)
        cards = startable_cards(history, context.known_content)
        entries = due_items(cards, end_of_day(now))[:DAILY_MAX]
        if session:
            past = tuple(past for past in history.sessions if past.id == session)
            history = replace(history, sessions=past, loose_attempts=(), unreadable=())
            parts = {part.id for part in history.sessions[0].plan.parts}
            # List the session's parts with their next review dates, including parts that are not due yet.
            entries = [entry for entry in due_items(cards, math.inf) if entry.id in parts]
        by_topic = topics_of(context, history)
        labs = [] if session else load_labs(context.folders.data)
    if html:
        title = f"Session {session}" if session else "Practice report"
        write_file(html, html_report(history, by_topic, entries, title, now, labs).encode("utf-8"))
        echo(str(html))
    else:
        text = debrief(history.sessions[0]) if session else overview(history, by_topic, entries)
        # A terminal would show the backslashes, which are needed only in a Markdown file.
        echo(without_escapes(text) if sys.stdout.isatty() else text)
    return OK
