"""The command line of an observer: parse only; `context.obj` wires the app."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import click

Wire = Callable[[], Any]


@click.command()
@click.argument("session", required=False)
@click.option("--token", prompt="Token", help="What the candidate's screen shows after interview --live.")
@click.option("--name", default="", metavar="NAME", help="What the candidate sees you as; default: your login.")
@click.pass_obj
def observe(wire: Wire, /, session: str | None, token: str, name: str) -> int:
    """Join a running session: watch it, ask the next question, tick points.

    You see the transcript, answers and code as they are typed, verdicts, and the rubric with the bank's answers. What
    you ask takes the interviewer's next turn and is never scored; your ticks stay your own, beside the machine's.
    """
    import getpass

    from interviewer import observing_plain

    if not name:
        with suppress(OSError, KeyError):
            name = getpass.getuser()
    with wire() as kit:
        return observing_plain.observe(kit, session, token, name or "observer")
