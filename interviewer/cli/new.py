"""Create new content: a tiny task that already passes the gate and is meant to be edited."""

from __future__ import annotations

from pathlib import Path

import click

from interviewer.cli.options import FileName
from interviewer.errors import OK, BadInput
from tasks.load import TaskError
from tasks.new import scaffold


@click.group()
def new() -> None:
    """Start a piece of content of your own."""


@new.command("task")
@click.argument("folder", metavar="AREA/SLUG", type=FileName())
def new_task(folder: Path) -> int:
    """Write a tiny proven task into tasks/AREA/SLUG, to be changed into yours."""
    # AREA/SLUG means a folder below ./tasks; a longer or absolute path is used as it is.
    target = Path("tasks") / folder if len(folder.parts) == 2 and not folder.is_absolute() else folder
    if len(target.parts) < 3:
        raise BadInput(f"{folder}: expected AREA/SLUG", "Say for example losses/my_loss.")
    try:
        for path in scaffold(target):
            click.echo(path)
    except (TaskError, OSError) as error:
        raise BadInput(str(error)) from None
    click.echo(f"It is proven as it stands: interviewer check {target}. Change one file at a time and check again.")
    return OK
