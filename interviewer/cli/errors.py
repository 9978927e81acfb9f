"""List the app's recorded failures, or show one by its id. The command only reads the error journal."""

from __future__ import annotations

from dataclasses import asdict
from textwrap import shorten

import click

from interviewer.cli.options import AS_JSON
from interviewer.cli.output import echo, print_json
from interviewer.errors import OK, BadInput, InterviewerError, journal

SHOWN_MAX = 20
MESSAGE_CHARACTERS_MAX = 100


@click.command()
@click.argument("name", required=False, metavar="[ID]")
@AS_JSON
def errors(name: str | None, as_json: bool) -> int:
    """List recent internal errors, or show one by its id.

    Errors are stored on this machine only, without API keys and without your answers, so you can paste one into a bug
    report.
    """
    try:
        records = journal.records()
    except OSError as error:
        raise InterviewerError(f"{journal.path}: {error.strerror}", "Make the file readable.", "errors") from None
    if name is not None:
        record = next((record for record in records if record.id == name.upper()), None)
        if record is None:
            raise BadInput(f"no error {name}", "To list all recorded errors, run interviewer errors.", "unknown")
        if as_json:
            print_json(asdict(record))
        else:
            echo(str(record))
    elif as_json:
        print_json({"file": str(journal.path), "errors": [asdict(record) for record in records]})
    else:
        for record in records[:SHOWN_MAX]:
            message = shorten(record.message, MESSAGE_CHARACTERS_MAX, placeholder=" …")
            echo(f"{record.id}  {record.when}  {record.kind}: {message}")
        more = f"; --json also lists {len(records) - SHOWN_MAX} older ones" if len(records) > SHOWN_MAX else ""
        hint = f"To see a full record, run interviewer errors ID{more}" if records else "No errors recorded"
        echo(f"{hint}. Recorded in {journal.path}")
    return OK
