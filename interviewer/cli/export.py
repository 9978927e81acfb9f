"""Export the masked practice log in one of four formats. The file is written completely or not at all."""

from __future__ import annotations

from pathlib import Path

import click

from interviewer.cli.files import write_atomically, write_file
from interviewer.cli.log import history_of, topics_of
from interviewer.cli.options import FILE, open_context
from interviewer.cli.output import echo
from interviewer.errors import OK, BadInput
from interviewer.log.reports.anki import write_deck
from interviewer.log.reports.csv import csv_text
from interviewer.log.reports.jsonl import export_lines
from interviewer.log.reports.overview import log_markdown
from interviewer.sanitize import masker

FORMATS = ("jsonl", "csv", "markdown", "anki")


@click.command()
@click.argument("file", type=FILE)
@click.option("--format", "form", type=click.Choice(FORMATS), default="jsonl", show_default=True)
@click.option("--force", is_flag=True, help="Overwrite FILE if it exists.")
def export(file: Path, form: str, force: bool) -> int:
    """Export the log to FILE: JSON Lines (can be imported again), CSV, Markdown, or an Anki deck of your questions.

    Keys, and anything that looks like a key, are masked. Unsent drafts are not exported.
    """
    if file.exists() and not force:
        raise BadInput(f"{file} already exists", "Choose a different name, or overwrite it with --force.", "exists")
    with open_context() as context:
        mask = masker(context.environ)
        history = history_of(context)
        if form == "jsonl":
            data = "".join(f"{line}\n" for line in export_lines(context.log, mask)).encode("ascii")
        elif form == "csv":
            # With a byte order mark, spreadsheet programs detect UTF-8.
            data = csv_text(history).encode("utf-8-sig")
        elif form == "markdown":
            events = [context.log.whole(session.id, mask) for session in history.sessions]
            data = log_markdown(history, events, topics_of(context, history)).encode("utf-8")
    if form == "anki":
        write_atomically(file, lambda half: write_deck(history, half))
    else:
        write_file(file, data)
    echo(str(file))
    return OK
