"""Import an exported practice log; existing entries are never changed."""

from __future__ import annotations

from pathlib import Path

import click

from interviewer.cli.files import read_lines
from interviewer.cli.options import FILE, open_context
from interviewer.cli.output import echo
from interviewer.errors import OK
from interviewer.log.reports import jsonl
from interviewer.sanitize import masker
from interviewer.session.phrases import pluralize


@click.command("import-log")
@click.argument("file", type=FILE)
def import_log(file: Path) -> int:
    """Add the sessions and attempts from an exported JSONL file. Existing entries are not changed."""
    with open_context() as context:
        done = jsonl.import_recording(context.log, jsonl.read_lines(read_lines(file)), masker(context.environ))
    echo(
        f"{pluralize(done.sessions_new, 'session')} added, {done.sessions_longer} extended, "
        f"{pluralize(done.attempts_new, 'attempt')} added; "
        "everything else was already in the log."
    )
    for session in done.sessions_that_differ:
        echo(f"note: session {session} differs from the copy in the log; the copy in the log was kept", is_error=True)
    return OK
