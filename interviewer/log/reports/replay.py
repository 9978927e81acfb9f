"""Replay a recorded session: today's rules must choose the same moves as the recording."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from interviewer.log.transcript import transcript_lines
from interviewer.session import events
from interviewer.session.codec import CodecError, from_plain
from interviewer.session.engine import InvalidTransition, fold, step
from interviewer.session.state import Session


def move_differences(history: Sequence[events.Event]) -> list[str]:
    """Return where today's rules choose a different move than the recording; empty if they agree throughout.

    Only kinds of moves are compared, because a model may phrase a move differently each time. The comparison
    ends at the first event that today's rules refuse.
    """
    session: Session | None = None
    differences = []
    for number, event in enumerate(history):
        if isinstance(event, events.InterviewerSaid):
            now = session.move.kind.value if session and session.move else "nothing"
            if now != event.move.value:
                differences.append(f"event {number}: {event.move.value} was said, today's rules choose {now}")
        try:
            session = step(session, event)
        except (InvalidTransition, LookupError, ValueError) as error:
            return [*differences, f"event {number}: today's rules refuse it: {error}"]
    return differences


def compare_with_state(history: Sequence[events.Event], state_file: Path) -> tuple[bool, str]:
    """Return whether the replayed state equals the one recorded in `state_file`, and the result as a sentence."""
    try:
        recorded = from_plain(Session, json.loads(state_file.read_text(encoding="utf-8")))
        session = fold(history)
    except InvalidTransition:
        return False, f"Today's rules lead to no state that could be compared with {state_file.name}."
    except (OSError, ValueError, CodecError) as error:
        return False, f"{state_file.name} cannot be read ({error}), so the states are not compared."
    if recorded == session:
        return True, f"The state is the same as in {state_file.name}."
    names = [name for name in vars(recorded) if getattr(recorded, name) != getattr(session, name)]
    return False, f"The state differs from {state_file.name} in: {', '.join(names)}."


def replay_lines(history: Sequence[events.Event]) -> Iterator[str]:
    """Yield the recorded session event by event, then whether today's rules choose the same moves."""
    yield from transcript_lines(history)
    differences = move_differences(history)
    yield ""
    moves = sum(isinstance(event, events.InterviewerSaid) for event in history)
    yield f"Today's rules choose the same {moves} moves." if not differences else "Today's rules differ:"
    yield from differences
