"""Replay an exported session and check that the current rules choose the same moves. Does not open the log."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from interviewer.cli.files import read_lines
from interviewer.cli.options import FILE
from interviewer.cli.output import echo, unread_output_discarded
from interviewer.errors import NOT_PASSED, OK, BadInput
from interviewer.log.reports import jsonl
from interviewer.log.transcript import transcript_lines
from interviewer.session import events
from interviewer.session.codec import CodecError, from_plain
from interviewer.session.engine import InvalidTransition, fold, step
from interviewer.session.state import Session


@click.command()
@click.argument("file", type=FILE)
@click.option("--session", metavar="ID", help="Replay only this session from the file.")
def replay(file: Path, session: str | None) -> int:
    """Replay an exported session move by move. Exits with 1 if the current rules choose different moves."""
    recorded = jsonl.read_lines(read_lines(file)).sessions
    if session is not None and session not in recorded:
        raise BadInput(f"{file} contains no session {session}", f"It contains: {', '.join(recorded)}")
    is_same = True
    for name, history in recorded.items():
        if session in (None, name):
            with unread_output_discarded():
                echo("\n".join(replay_lines(history)) + "\n")
            is_same &= not move_differences(history)
    state_file = file.with_suffix(".state.json")
    if len(recorded) == 1 and state_file.exists():
        is_same_state, message = compare_with_state(next(iter(recorded.values())), state_file)
        with unread_output_discarded():
            echo(message)
        is_same &= is_same_state
    return OK if is_same else NOT_PASSED


def move_differences(history: Sequence[events.Event]) -> list[str]:
    """Return where the current rules choose a different move than the recorded one; empty if all moves agree.

    Only kinds of moves are compared, because a model may phrase a move differently each time. The comparison ends at
    the first event that the current rules reject.
    """
    session: Session | None = None
    differences = []
    for number, event in enumerate(history):
        if isinstance(event, events.InterviewerSaid):
            now = session.move.kind.value if session and session.move else "nothing"
            if now != event.move.value:
                differences.append(f"event {number}: recorded {event.move.value}, the current rules choose {now}")
        try:
            session = step(session, event)
        except (InvalidTransition, LookupError, ValueError) as error:
            return [*differences, f"event {number}: rejected by the current rules: {error}"]
    return differences


def compare_with_state(history: Sequence[events.Event], state_file: Path) -> tuple[bool, str]:
    """Return whether the replayed state equals the state recorded in `state_file`, and the result as a sentence."""
    try:
        recorded = from_plain(Session, json.loads(state_file.read_text(encoding="utf-8")))
        session = fold(history)
    except InvalidTransition:
        return (
            False,
            f"The session cannot be replayed under the current rules: no state to compare with {state_file.name}.",
        )
    except (OSError, ValueError, CodecError) as error:
        return False, f"{state_file.name} could not be read ({error}), so the states were not compared."
    if recorded == session:
        return True, f"The state is identical to {state_file.name}."
    names = [name for name in vars(recorded) if getattr(recorded, name) != getattr(session, name)]
    return False, f"The state differs from {state_file.name} in: {', '.join(names)}."


def replay_lines(history: Sequence[events.Event]) -> Iterator[str]:
    """Yield the recorded session event by event, then whether the current rules choose the same moves."""
    yield from transcript_lines(history)
    differences = move_differences(history)
    yield ""
    moves = sum(isinstance(event, events.InterviewerSaid) for event in history)
    yield f"The current rules choose the same {moves} moves." if not differences else "Some moves differ:"
    yield from differences
