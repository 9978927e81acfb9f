"""The command line of an observer: parse, join, open; `context.obj` wires the app."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import click

from interviewer.errors import OK

Wire = Callable[[], Any]


@click.command()
@click.argument("session", required=False)
@click.option("--token", prompt="Token", help="What the candidate's screen shows after F5, or interview --live.")
@click.option("--name", default="", metavar="NAME", help="What the candidate sees you as; default: your login.")
@click.option("--plain", is_flag=True, help="Read lines from stdin and print to stdout, as without a terminal.")
@click.pass_obj
def observe(wire: Wire, /, session: str | None, token: str, name: str, plain: bool) -> int:
    """Join a running session: watch it, ask the next question, tick points.

    You see the transcript, answers and code as they are typed, verdicts, and the rubric with the bank's answers. What
    you ask takes the interviewer's next turn and is never scored; your ticks stay your own, beside the machine's.
    """
    from interviewer.cli.launch import has_terminal
    from interviewer.interview.observation import join

    with wire() as kit:
        observation = join(kit.log, session, token, name or login())
        if plain or not has_terminal():
            from interviewer.cli.plain import observer as observing_plain

            observing_plain.observe(observation)
        else:
            from interviewer.tui.observer_app import ObserverApp

            ObserverApp(kit, observation).run()
    return OK


def login() -> str:
    """Return the user's login; empty when the system knows none."""
    import getpass

    with suppress(OSError, KeyError):
        return getpass.getuser()
    return ""
