"""Everything that can be wrong with the log, as one tree; each names the file, what was found, and what to do next.

LogError                    the log cannot be used; the message names the file and what to do
├── LogUnwritable           the folder or file cannot be written
├── LogNewer                a newer version of the app wrote it
├── LogDamaged              it is no database of ours, or a line in it cannot be read
├── SessionTaken            another running app wrote to this session since it was read
├── NotAdmitted             an observer's token opens no session, or opens it no longer
└── NotAnExport             a file that should be imported or replayed holds something else
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from interviewer.errors import BAD_INPUT, InterviewerError


class LogError(InterviewerError):
    """Say why the log cannot be used."""

    kind = "log"


class LogUnwritable(LogError):
    """Say that the folder or file cannot be written."""


class LogNewer(LogError):
    """Say that a newer version wrote the log."""


class LogDamaged(LogError):
    """Say that the file is no log of ours, or a line in it cannot be read."""


class SessionTaken(LogError):
    """Say that another running app continued this session."""


class NotAdmitted(LogError):
    """Say why an observer may not join or write."""

    exit_code = BAD_INPUT
    is_recorded = False
    kind = "observer"


class NotAnExport(LogError):
    """Say which line of a file is none of ours."""

    exit_code = BAD_INPUT
    is_recorded = False
    kind = "input"


@contextmanager
def as_log_error(path: Path) -> Iterator[None]:
    """Turn what SQLite and the system raise about this file into a LogError."""
    unwritable = "Free up disk space or unlock that folder, or set INTERVIEWER_HOME to a writable folder."
    try:
        yield
    except sqlite3.OperationalError as error:
        raise LogUnwritable(f"{path}: {error}", unwritable) from None
    except sqlite3.DatabaseError as error:
        raise LogDamaged(
            f"{path}: {error}",
            "Restart interviewer. It moves a damaged log aside without deleting it and tells you where it put it.",
        ) from None
    except OSError as error:
        raise LogUnwritable(f"{path}: {error.strerror or error}", unwritable) from None
