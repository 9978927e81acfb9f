"""Join a running session as an observer, in the app or in plain mode."""

from __future__ import annotations

import getpass
from contextlib import suppress

import click

from interviewer.cli.options import open_context
from interviewer.cli.plain.observer import observe as observe_plain
from interviewer.cli.starting import has_terminal, say_starting
from interviewer.errors import OK
from interviewer.interview.observer_client import join


@click.command()
@click.argument("session", required=False)
@click.option("--token", prompt="Token", help="Token shown on the candidate's screen after F10 or interview --live.")
@click.option("--name", default="", metavar="NAME", help="Name shown to the candidate. Default: your login name.")
@click.option(
    "--plain", is_flag=True, help="Read lines from stdin and print to stdout, as if no terminal were attached."
)
def observe(session: str | None, token: str, name: str, plain: bool) -> int:
    """Join a running session: watch it, ask the next question, tick points.

    You see the transcript, answers and code as they are typed, verdicts, and the rubric with the reference answers.
    Your question is asked in the interviewer's next turn and is never scored. Your ticks are stored separately from the
    examiner's marks.
    """
    with open_context() as context:
        observation = join(context.log, session, token, name or _login())
        if plain or not has_terminal():
            observe_plain(observation)
        else:
            say_starting()
            from interviewer.tui.observer_app import ObserverApp  # this imports Textual, which plain mode does not need

            ObserverApp(context, observation).run()
    return OK


def _login() -> str:
    """Return the user's login name; empty if the system does not provide one."""
    with suppress(OSError, KeyError):
        return getpass.getuser()
    return ""
