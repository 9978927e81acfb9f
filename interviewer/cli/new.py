"""Create new content: a tiny task that already passes `interviewer check` and is meant to be edited."""

from __future__ import annotations

from pathlib import Path

import click

from interviewer.cli.options import FileName
from interviewer.errors import OK, BadInput
from tasks.load import TaskError
from tasks.new import scaffold


@click.group()
def new() -> None:
    """Create your own content."""


@new.command("task")
@click.argument("folder", metavar="AREA/SLUG", type=FileName())
def new_task(folder: Path) -> int:
    """Write a small working task to tasks/AREA/SLUG as a template for your own."""
    # AREA/SLUG means a folder below ./tasks; a longer or absolute path is used as is.
    target = Path("tasks") / folder if len(folder.parts) == 2 and not folder.is_absolute() else folder
    if len(target.parts) < 3:
        raise BadInput(f"{folder}: expected AREA/SLUG", "Example: losses/my_loss.")
    try:
        for path in scaffold(target):
            click.echo(path)
    except (TaskError, OSError) as error:
        raise BadInput(str(error)) from None
    click.echo(f"The new task already passes interviewer check {target}. Change one file at a time, then check again.")
    return OK
