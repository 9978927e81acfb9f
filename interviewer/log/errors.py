"""All log errors, as one class hierarchy; each message names the file, the problem, and the next step.

LogError                    the log cannot be used; the message names the file and the next step
├── LogUnwritable           the folder or file is not writable
├── LogNewer                a newer version of the app wrote it
├── LogDamaged              it is not an interviewer database, or a line in it cannot be read
├── SessionTaken            another running app has written to this session since it was read
├── SessionOpen             the session is open in another window
├── NotAdmitted             an observer's token is invalid or no longer valid
└── NotAnExport             a file to import or replay contains something else
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from interviewer.errors import BAD_INPUT, InterviewerError


class LogError(InterviewerError):
    """The log cannot be used; the message gives the reason."""

    kind = "log"


class LogUnwritable(LogError):
    """The folder or file is not writable."""


class LogNewer(LogError):
    """A newer version of the app wrote the log."""


class LogDamaged(LogError):
    """The file is not an interviewer log, or a line in it cannot be read."""


class SessionTaken(LogError):
    """Another running app continued this session."""

    is_recorded = False


class SessionOpen(LogError):
    """The session is open in another window, so it can be neither resumed nor deleted."""

    exit_code = BAD_INPUT
    is_recorded = False
    kind = "session"


class NotAdmitted(LogError):
    """An observer is not allowed to join or write; the message gives the reason."""

    exit_code = BAD_INPUT
    is_recorded = False
    kind = "observer"


class NotAnExport(LogError):
    """A line of the file is not in the export format; the message gives its number."""

    exit_code = BAD_INPUT
    is_recorded = False
    kind = "input"


@contextmanager
def as_log_error(path: Path) -> Iterator[None]:
    """Convert SQLite and OS errors about this file to a LogError."""
    unwritable = "Free up disk space, make that folder writable, or set INTERVIEWER_HOME to a different folder."
    try:
        yield
    except sqlite3.OperationalError as error:
        raise LogUnwritable(f"{path}: {error}", unwritable) from None
    except sqlite3.DatabaseError as error:
        raise LogDamaged(
            f"{path}: {error}",
            "Restart interviewer. A damaged log is then moved aside, not deleted, and you are told where it is.",
        ) from None
    except OSError as error:
        raise LogUnwritable(f"{path}: {error.strerror or error}", unwritable) from None
