"""One graded submission as stored in the log; seed, device, isolation and verdict are stored only in its report.

A submission made in a session is not stored twice: `history` derives the same data from the session's events.
"""

from __future__ import annotations

import json
import secrets
import time
from dataclasses import dataclass
from typing import Any, Literal

from graders.verdict import Report
from interviewer.session.codec import from_plain, to_plain

Origin = Literal["interview", "challenge", "grade", "watch"]


@dataclass(frozen=True)
class LoggedAttempt:
    """One graded submission. `wall_seconds` is the time since the task was opened; None if it was not measured.

    For a pass without hints in a session, `wall_seconds` excludes pauses; past the session's time limit, it is None.
    """

    id: str
    at: float
    task: str
    origin: Origin
    source: str
    report: Report
    wall_seconds: float | None = None
    hints: int = 0

    @property
    def has_loaded(self) -> bool:
        """Return whether the code could be imported; only then does the attempt count as a submission."""
        return self.report.has_loaded


def new_attempt(
    report: Report, source: str, origin: Origin, *, at: float, wall_seconds: float | None = None, hints: int = 0
) -> LoggedAttempt:
    """Return an attempt with a new id, ready for `PracticeLog.record_attempt`."""
    name = time.strftime("%Y%m%d-%H%M%S-", time.localtime(at)) + secrets.token_hex(3)
    return LoggedAttempt(name, at, report.task, origin, source, report, wall_seconds, hints)


def attempt_row(attempt: LoggedAttempt) -> tuple[Any, ...]:
    """Return the attempt as a row of the `attempts` table."""
    report = json.dumps(to_plain(attempt.report))
    # Lone surrogates cannot be stored as UTF-8; a graded file never contains lone surrogates.
    source = attempt.source.encode("utf-8", "replace").decode("utf-8")
    return (
        attempt.id,
        attempt.at,
        attempt.task,
        attempt.origin,
        source,
        report,
        attempt.wall_seconds,
        attempt.hints,
    )


def attempt_from_row(row: tuple[Any, ...]) -> LoggedAttempt:
    """Return the attempt from a row of the `attempts` table.

    Raises CodecError or json.JSONDecodeError if the row cannot be parsed.
    """
    names = ("id", "at", "task", "origin", "source", "report", "wall_seconds", "hints")
    plain = dict(zip(names, row, strict=True))
    return from_plain(LoggedAttempt, {**plain, "report": json.loads(plain["report"])})
