"""The command lines of timed practice: parse only; `context.obj` wires the app."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from interviewer.cli.options import DEVICE, MINUTES, SANDBOX, FileName

if TYPE_CHECKING:
    from pathlib import Path

Wire = Callable[..., Any]
# The same words as in `choosing`, which would have to be imported for them; a test holds the two together.
PICKS = ("weakest", "random", "losses", "bugs", "memory")


@click.command()
@click.argument("task", required=False)
@click.option("--pick", type=click.Choice(PICKS), default="weakest", show_default=True, help="Without TASK: which one.")
@click.option("--minutes", type=MINUTES, help="The time; without it the task's own.")
@DEVICE
@click.option("--plain", is_flag=True, help="Read lines from stdin and print to stdout.")
@click.pass_obj
def challenge(wire: Wire, /, task: str | None, pick: str, minutes: float | None, device: str, plain: bool) -> int:
    """Code against the clock: one TASK, your weakest, one by chance, or a set."""
    from interviewer.cli import challenge as challenge_commands

    with wire() as kit:
        return challenge_commands.challenge(kit, task, pick, minutes, device=device, is_plain=plain)


@click.command()
@click.argument("task")
@click.argument("file", type=FileName(dir_okay=False))
@DEVICE
@SANDBOX
@click.pass_obj
def watch(wire: Wire, /, task: str, file: Path, device: str, sandbox: str | None) -> int:
    """Grade FILE on every save, until ctrl+c."""
    from interviewer.cli import challenge as challenge_commands

    with wire(sandbox=sandbox) as kit:
        return challenge_commands.watch(kit, task, file, device=device)


COMMANDS = (challenge, watch)
