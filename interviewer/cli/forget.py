"""Delete sessions and attempts from the practice log, and list copies of the log that still contain them."""

from __future__ import annotations

import click

from interviewer.cli.files import file_errors_as_bad_input
from interviewer.cli.options import open_context
from interviewer.cli.output import echo
from interviewer.errors import OK, BadInput
from interviewer.interview.participants import forget as forget_entries
from interviewer.log.reports.lab import forget_labs


@click.command()
@click.argument("name", required=False, metavar="[ID]")
@click.option("--all", "is_all", is_flag=True, help="Delete every session, attempt and memory lab result.")
@click.option("--yes", "is_sure", is_flag=True, help="Do not ask for confirmation.")
def forget(name: str | None, is_all: bool, is_sure: bool) -> int:
    """Permanently delete a session, an attempt, or the whole log.

    Only the total cost of this month's model calls is kept, so that the monthly cap still holds.
    """
    if name == "" or (name is None) is not is_all:
        raise click.UsageError("Pass the id of a session or an attempt, or --all.")
    if not is_sure:
        click.confirm(f"Delete {name or 'the whole practice log'}? This cannot be undone.", abort=True, err=True)
    with open_context() as context:
        count, path = forget_entries(context.log, name), context.log.path
        if is_all:
            with file_errors_as_bad_input(context.folders.data):
                forget_labs(context.folders.data)
    if name and not count:
        raise BadInput(f"no session or attempt has the id {name}", "To list all ids, run interviewer log.", "session")
    echo(f"Entries deleted from the log: {count}.")
    own = {f"{path.name}{ending}" for ending in ("", "-wal", "-shm", ".claims")}
    for copy in sorted(path.parent.glob(f"{path.name}*")):
        if copy.name not in own:
            echo(f"An older copy of the log still exists. Delete it yourself: {copy}")
    return OK
