"""Replay an exported session and compare it with what today's rules choose; the log is not opened."""

from __future__ import annotations

from pathlib import Path

import click

from interviewer.cli.files import read_lines
from interviewer.cli.options import FILE
from interviewer.cli.output import echo
from interviewer.errors import NOT_PASSED, OK, BadInput
from interviewer.log.reports import jsonl
from interviewer.log.reports.replay import compare_with_state, move_differences, replay_lines


@click.command()
@click.argument("file", type=FILE)
@click.option("--session", metavar="ID", help="Only this session of the file.")
def replay(file: Path, session: str | None) -> int:
    """Play an exported session again, move by move; exit code 1 when today's rules choose other moves."""
    recorded = jsonl.read_lines(read_lines(file)).sessions
    if session is not None and session not in recorded:
        raise BadInput(f"{file} holds no session {session}", f"It holds: {', '.join(recorded)}")
    is_same = True
    for name, events in recorded.items():
        if session in (None, name):
            echo("\n".join(replay_lines(events)) + "\n")
            is_same &= not move_differences(events)
    state_file = file.with_suffix(".state.json")
    if len(recorded) == 1 and state_file.exists():
        is_same_state, message = compare_with_state(next(iter(recorded.values())), state_file)
        echo(message)
        is_same &= is_same_state
    return OK if is_same else NOT_PASSED
