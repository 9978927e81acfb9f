"""One SQLite file that holds sessions, their events and the drafts; an event is never changed once it is written.

LogError                    the log cannot be used; the message names the file and what to do
├── LogUnwritable           the folder or file cannot be written
├── LogNewer                a newer version of the app wrote it
├── LogDamaged              it is no database of ours, or a line in it cannot be read
└── SessionTaken            another running app wrote to this session since it was read
"""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from interviewer.session.codec import CodecError
from interviewer.session.events import Event, InterviewerSaid, SessionStarted, dump_event, load_event
from interviewer.session.move import MoveKind

SCHEMA_VERSION = 1
Execute = Callable[..., sqlite3.Cursor]
_SCHEMA = """
CREATE TABLE sessions (id TEXT PRIMARY KEY, started_at REAL NOT NULL, ended_at REAL, examiner TEXT NOT NULL,
                       parts TEXT NOT NULL) STRICT;
CREATE TABLE events (session TEXT NOT NULL REFERENCES sessions(id), number INTEGER NOT NULL, at REAL NOT NULL,
                     line TEXT NOT NULL, PRIMARY KEY (session, number)) STRICT;
CREATE TABLE drafts (session TEXT NOT NULL, slot TEXT NOT NULL, at REAL NOT NULL, text TEXT NOT NULL,
                     PRIMARY KEY (session, slot)) STRICT;
"""


class LogError(Exception):
    """Say why the log cannot be used. `fix` tells the user what to do next."""

    def __init__(self, message: str, fix: str) -> None:
        super().__init__(message)
        self.message = message
        self.fix = fix


class LogUnwritable(LogError):
    """Say that the folder or file cannot be written."""


class LogNewer(LogError):
    """Say that a newer version wrote the log."""


class LogDamaged(LogError):
    """Say that the file is no log of ours, or a line in it cannot be read."""


class SessionTaken(LogError):
    """Say that another running app continued this session."""


@dataclass(frozen=True)
class SessionLine:
    """Hold what a list of sessions shows of one. `ended_at` is None while it can be continued."""

    id: str
    started_at: float
    ended_at: float | None
    examiner: str
    parts: str


class PracticeLog:
    """Read and write one log file; safe to use from several threads and beside other running apps."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        with self._translated():
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._connection = sqlite3.connect(path, timeout=10, check_same_thread=False, isolation_level=None)
            self._open()

    def _open(self) -> None:
        execute = self._connection.execute
        version = execute("PRAGMA user_version").fetchone()[0]
        if version > SCHEMA_VERSION:
            raise LogNewer(
                f"{self.path}: written by a newer interviewer (schema {version}, known {SCHEMA_VERSION})",
                "Upgrade interviewer, or set INTERVIEWER_HOME to another folder.",
            )
        execute("PRAGMA journal_mode=WAL")
        # FULL, not NORMAL: an event that was acted on must survive a power cut too, and events are rare.
        execute("PRAGMA synchronous=FULL")
        if version == 0:
            execute("BEGIN EXCLUSIVE")
            if execute("PRAGMA user_version").fetchone()[0] == 0:
                for statement in _SCHEMA.split(";"):
                    execute(statement)
                execute(f"PRAGMA user_version={SCHEMA_VERSION}")
            execute("COMMIT")

    def append(self, session: str, number: int, event: Event) -> None:
        """Write one event at its place; on disk when this returns. Raises: LogError."""
        with self._lock, self._translated(), self._transaction() as execute:
            if isinstance(event, SessionStarted):
                parts = ", ".join(part.id for part in event.plan.parts)
                row = (session, event.at, None, event.examiner, parts)
                execute("INSERT INTO sessions VALUES (?, ?, ?, ?, ?)", row)
            try:
                execute("INSERT INTO events VALUES (?, ?, ?, ?)", (session, number, event.at, dump_event(event)))
            except sqlite3.IntegrityError:
                raise SessionTaken(
                    f"session {session} was continued by another running interviewer",
                    "Go on there, or close it and start here with --resume.",
                ) from None
            if isinstance(event, InterviewerSaid) and event.move is MoveKind.FINISH:
                execute("UPDATE sessions SET ended_at = ? WHERE id = ?", (event.at, session))
                execute("DELETE FROM drafts WHERE session = ? AND text = ''", (session,))

    def events(self, session: str) -> list[Event]:
        """Return all events of a session in order; empty when there is no such session. Raises: LogError."""
        with self._lock, self._translated():
            rows = self._connection.execute(
                "SELECT number, line FROM events WHERE session = ? ORDER BY number", (session,)
            ).fetchall()
        events = []
        for number, line in rows:
            try:
                events.append(load_event(line))
            except CodecError as error:
                raise LogDamaged(
                    f"{self.path}: event {number} of session {session}: {error}",
                    "Upgrade interviewer if a newer version wrote it; the file itself is left as it is.",
                ) from None
        return events

    def sessions(self) -> list[SessionLine]:
        """Return all sessions, latest first. Raises: LogError."""
        with self._lock, self._translated():
            rows = self._connection.execute(
                "SELECT id, started_at, ended_at, examiner, parts FROM sessions ORDER BY started_at DESC, id"
            ).fetchall()
        return [SessionLine(*row) for row in rows]

    def save_draft(self, session: str, slot: str, text: str) -> None:
        """Keep what is being typed; the last text of a slot replaces the one before. Raises: LogError."""
        # Surrogates cannot be stored as UTF-8; a draft may lose them, an event never does (it is escaped).
        safe = text.encode("utf-8", "replace").decode("utf-8")
        with self._lock, self._translated():
            self._connection.execute(
                "INSERT OR REPLACE INTO drafts VALUES (?, ?, ?, ?)", (session, slot, time.time(), safe)
            )

    def draft(self, session: str, slot: str) -> str:
        """Return the last draft of a slot, empty when there is none. Raises: LogError."""
        with self._lock, self._translated():
            row = self._connection.execute(
                "SELECT text FROM drafts WHERE session = ? AND slot = ?", (session, slot)
            ).fetchone()
        return str(row[0]) if row else ""

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    @contextmanager
    def _transaction(self) -> Iterator[Execute]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield self._connection.execute
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")

    @contextmanager
    def _translated(self) -> Iterator[None]:
        unwritable = "Free or unlock that place, or set INTERVIEWER_HOME to a folder that can be written."
        try:
            yield
        except sqlite3.OperationalError as error:
            raise LogUnwritable(f"{self.path}: {error}", unwritable) from None
        except sqlite3.DatabaseError as error:
            raise LogDamaged(
                f"{self.path}: {error}",
                "Move the file aside (it is left as it is); a new one is made at the next start.",
            ) from None
        except OSError as error:
            raise LogUnwritable(f"{self.path}: {error.strerror or error}", unwritable) from None
