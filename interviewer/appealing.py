"""An appeal against a finding of a finished session: logged behind its end, beside the finding, never in it."""

from __future__ import annotations

import time
from collections.abc import Callable

from interviewer.log.store import PracticeLog
from interviewer.session import engine
from interviewer.session.events import Appealed
from interviewer.session.state import Session


def appeal(
    log: PracticeLog, session: Session, question: str, point: str, why: str, clock: Callable[[], float] = time.time
) -> Session:
    """Log why the candidate contests a finding, and return the session as it was given, with the appeal.

    Raises: LogError, OutOfTurn; then nothing was written.
    """
    event = Appealed(clock(), question, point, why)
    history = log.events(session.id)
    # Against the log's own state as well: the one that is given may be masked.
    engine.step(engine.fold(history), event)
    changed = engine.step(session, event)
    log.append(session.id, len(history), event)
    return changed
