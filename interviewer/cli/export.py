"""Export the masked practice log in one of four formats. The file is written completely or not at all."""

from __future__ import annotations

from pathlib import Path

import click

from interviewer.cli.files import require_new, write_atomically, write_file
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
ENDINGS = {
    ".jsonl": "jsonl",
    ".json": "jsonl",
    ".csv": "csv",
    ".md": "markdown",
    ".markdown": "markdown",
    ".apkg": "anki",
}


@click.command()
@click.argument("file", type=FILE)
@click.option(
    "--format",
    "wanted",
    type=click.Choice(FORMATS),
    help="Default: from FILE's extension (.jsonl, .csv, .md or .apkg); jsonl for any other extension.",
)
@click.option("--force", is_flag=True, help="Overwrite FILE if it exists.")
def export(file: Path, wanted: str | None, force: bool) -> int:
    """Export the log to FILE: JSON Lines (can be imported again), CSV, Markdown, or an Anki deck of your questions.

    Keys, and anything that looks like a key, are masked. Unsent drafts are not exported.
    """
    form = _format_of(file, wanted)
    if not force:
        require_new(file)
    with open_context() as context:
        mask = masker(context.environ)
        history = history_of(context)
        if form == "jsonl":
            data = "".join(f"{line}\n" for line in export_lines(context.log, mask)).encode("ascii")
        elif form == "csv":
            # A byte order mark lets spreadsheet programs detect UTF-8.
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


def _format_of(file: Path, wanted: str | None) -> str:
    """Return the export format. Raises BadInput if the file's extension and --format disagree."""
    ending = file.suffix.lower()
    by_ending = ENDINGS.get(ending)
    if ending in (".html", ".htm") and not wanted:
        fix = (
            f"To write an HTML report, run interviewer report --html {file}. Otherwise, choose a format with --format."
        )
        raise BadInput(f"{file}: export cannot write HTML", fix)
    if wanted and by_ending and wanted != by_ending:
        message = f"{file}: the extension {ending} means --format {by_ending}, but --format is {wanted}"
        raise BadInput(message, "Change the extension, or leave out --format.")
    return wanted or by_ending or "jsonl"
