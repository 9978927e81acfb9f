"""A recorded session played again move by move: today's rules must choose the moves that were made then."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from interviewer.log.transcript import transcript_lines
from interviewer.session import events
from interviewer.session.codec import CodecError, from_plain
from interviewer.session.engine import OutOfTurn, fold, step
from interviewer.session.state import Session


def move_differences(history: Sequence[events.Event]) -> list[str]:
    """Return where today's rules choose another move than the one that was said; empty when they agree throughout.

    A model may word a move anew, so kinds are compared, not words. It ends where an event cannot follow any more.
    """
    session: Session | None = None
    found = []
    for number, event in enumerate(history):
        if isinstance(event, events.InterviewerSaid):
            now = session.move.kind.value if session and session.move else "nothing"
            if now != event.move.value:
                found.append(f"event {number}: {event.move.value} was said, today's rules choose {now}")
        try:
            session = step(session, event)
        except (OutOfTurn, LookupError, ValueError) as error:
            return [*found, f"event {number}: today's rules refuse it: {error}"]
    return found


def compare_with_state(history: Sequence[events.Event], state_file: Path) -> tuple[bool, str]:
    """Return whether a replayed state is the one recorded beside the file, and the same in a sentence."""
    try:
        recorded = from_plain(Session, json.loads(state_file.read_text(encoding="utf-8")))
        session = fold(history)
    except OutOfTurn:
        return False, f"Today's rules lead to no state that could be compared with {state_file.name}."
    except (OSError, ValueError, CodecError) as error:
        return False, f"{state_file.name} cannot be read ({error}), so the states are not compared."
    if recorded == session:
        return True, f"The state is the same as in {state_file.name}."
    names = [name for name in vars(recorded) if getattr(recorded, name) != getattr(session, name)]
    return False, f"The state differs from {state_file.name} in: {', '.join(names)}."


def replay_lines(history: Sequence[events.Event]) -> Iterator[str]:
    """Yield a recorded session move by move, then whether the same moves follow from it today."""
    yield from transcript_lines(history)
    found = move_differences(history)
    yield ""
    moves = sum(isinstance(event, events.InterviewerSaid) for event in history)
    yield f"Today's rules choose the same {moves} moves." if not found else "Today's rules differ:"
    yield from found
