"""Stores sessions, events, drafts, clocks, payments and attempts in one SQLite file.

Events and attempts are never modified. A draft is text that has been typed but not sent. Anything that affects the
course of a session is in its events or in a separate table.
"""

from __future__ import annotations

import fcntl
import sqlite3
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from interviewer.log.attempts import LoggedAttempt, attempt_from_row, attempt_row
from interviewer.log.errors import (
    LogDamaged,
    LogError,
    LogNewer,
    LogUnwritable,
    SessionOpen,
    SessionTaken,
    as_log_error,
)
from interviewer.log.observer_notes import Notes
from interviewer.log.schema import SCHEMA_VERSION, open_database
from interviewer.sanitize import Mask, masked_line
from interviewer.session.events import Event, InterviewerSaid, QuestionAdded, SessionStarted, dump_event, load_event
from interviewer.session.move import MoveKind

Execute = Callable[..., sqlite3.Cursor]
# Two times that differ by less than this many seconds belong to the same event. Schema 3 stored the clock as text, and
# SQLite may round its last digit differently.
_SAME_EVENT_SECONDS = 1e-4
# The id under which the total of the deleted payments is stored. Session ids begin with a date.
_FORGOTTEN = "forgotten"
_LEFT_AS_IT_IS = "Upgrade interviewer if a newer version wrote the file. The file was not changed."


@dataclass(frozen=True)
class SessionRow:
    """One session as shown in a list. `ended_at` is None while the session can be resumed."""

    id: str
    started_at: float
    ended_at: float | None
    examiner: str
    parts: str


@dataclass(frozen=True)
class Payment:
    """The paid model replies of one session, and their cost.

    `text` is in the format of interviewer.chat.spending, and `at` is in seconds since 1970.
    """

    session: str
    at: float
    text: str


class PracticeLog:
    """One log file, open for reading and writing; safe to use from several threads and running apps.

    `notes` gives access to observers' notes on running sessions. `notices` are messages for the user about opening the
    file, for example the path to which a corrupt file was moved.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._claims: BinaryIO | None = None
        with as_log_error(path):
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._connection, self.notices = open_database(path)
        self.notes = Notes(path, self._connection, self._lock)

    def claim(self, session: str) -> None:
        """Prevent other processes from resuming a session until `release`, or until this process ends.

        Raises SessionOpen if another process has claimed the session, and LogError if the log cannot be used.
        """
        with self._lock, as_log_error(self.path):
            if not self._try_claim(session):
                raise SessionOpen(
                    "This interview is open in another window",
                    "Continue in that window, or leave the interview there and resume it here.",
                )

    def _try_claim(self, session: str) -> bool:
        """Claim a session; return False if another process has claimed it."""
        if self._claims is None:
            self._claims = self.path.with_name(f"{self.path.name}.claims").open("ab")
        try:
            # The file stays empty: each session is represented by a lock on one byte. The system releases the lock when
            # the process ends, even if it is killed.
            fcntl.lockf(self._claims, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, _claimed_byte(session))
        except (BlockingIOError, PermissionError):
            return False
        except OSError:
            # Some network file systems do not support locks. The check that raises SessionTaken still protects the
            # session's events.
            pass
        return True

    def release(self, session: str) -> None:
        """Let other processes resume this session again."""
        with self._lock:
            if self._claims is not None:
                with suppress(OSError):
                    fcntl.lockf(self._claims, fcntl.LOCK_UN, 1, _claimed_byte(session))

    def append(self, session: str, number: int, *events: Event) -> None:
        """Append either all of the events or none, numbered from `number`; on return, the events are on disk.

        Raises LogError if the log cannot be used.
        """
        with self._lock, as_log_error(self.path), self._transaction() as execute:
            for position, event in enumerate(events, number):
                self._append(execute, session, position, event)

    def _append(self, execute: Execute, session: str, number: int, event: Event) -> None:
        try:
            if isinstance(event, SessionStarted):
                parts = ", ".join(part.id for part in event.plan.parts)
                row = (session, event.at, None, event.examiner, parts)
                execute("INSERT INTO sessions VALUES (?, ?, ?, ?, ?)", row)
            execute("INSERT INTO events VALUES (?, ?, ?, ?)", (session, number, event.at, dump_event(event)))
        except sqlite3.IntegrityError:
            raise SessionTaken(
                f"session {session} was resumed in another instance of interviewer",
                "Continue in that instance, or close it and use --resume here.",
            ) from None
        if isinstance(event, QuestionAdded):
            # The session list and the search for recent questions read a session's parts from the column `parts`.
            execute("UPDATE sessions SET parts = parts || ', ' || ? WHERE id = ?", (event.question, session))
        if isinstance(event, InterviewerSaid) and event.move is MoveKind.FINISH:
            execute("UPDATE sessions SET ended_at = ? WHERE id = ?", (event.at, session))
            execute("DELETE FROM drafts WHERE session = ? AND text = ''", (session,))

    def events(self, session: str, mask: Mask | None = None, first: int = 0) -> list[Event]:
        """Return a session's events starting at `first`, masked if `mask` is given; empty for an unknown session.

        Raises LogError if the log cannot be used.
        """
        with self._lock, as_log_error(self.path):
            rows = self._connection.execute(
                "SELECT number, line FROM events WHERE session = ? AND number >= ? ORDER BY number",
                (session, first),
            ).fetchall()
        events = []
        for number, line in rows:
            try:
                events.append(load_event(masked_line(line, mask) if mask else line))
            except ValueError as error:
                where = f"{self.path}: event {number} of session {session}"
                raise LogDamaged(f"{where}: {error}", _LEFT_AS_IT_IS) from None
        return events

    def append_afterwards(self, session: str, event: Event) -> None:
        """Append an event that follows a finished session (one of `AFTERWARDS`).

        Raises LogError if the session was deleted or the log cannot be used.
        """
        with self._lock, as_log_error(self.path), self._transaction() as execute:
            if not execute("SELECT 1 FROM sessions WHERE id = ?", (session,)).fetchone():
                raise LogError(f"session {session} was deleted from the log", "No more events are logged for it.")
            # Use negative event numbers: earlier versions, which do not know these events, read events from number 0
            # on.
            (last,) = execute("SELECT min(number) FROM events WHERE session = ?", (session,)).fetchone()
            number = min(last or 0, 0) - 1
            execute("INSERT INTO events VALUES (?, ?, ?, ?)", (session, number, event.at, dump_event(event)))

    def afterwards(self, session: str, mask: Mask | None = None) -> list[Event]:
        """Return the events that follow a finished session, earliest first, masked if `mask` is given.

        Events whose kind is known only to a newer version are left out. Raises LogError if the log cannot be used.
        """
        with self._lock, as_log_error(self.path):
            rows = self._connection.execute(
                "SELECT line FROM events WHERE session = ? AND number < 0 ORDER BY number DESC", (session,)
            ).fetchall()
        events = []
        for (line,) in rows:
            with suppress(ValueError):
                events.append(load_event(masked_line(line, mask) if mask else line))
        return events

    def whole(self, session: str, mask: Mask | None = None) -> list[Event]:
        """Return a session's events and the events that follow it, for display or replay only, not for appending.

        Raises LogError if the log cannot be used.
        """
        return [*self.events(session, mask), *self.afterwards(session, mask)]

    def sessions(self) -> list[SessionRow]:
        """Return all sessions, most recent first. Raises LogError if the log cannot be used."""
        with self._lock, as_log_error(self.path):
            rows = self._connection.execute(
                "SELECT id, started_at, ended_at, examiner, parts FROM sessions ORDER BY started_at DESC, id"
            ).fetchall()
        return [SessionRow(*row) for row in rows]

    def asked_since(self, at: float) -> list[str]:
        """Return the parts that were started in sessions since this time, most recent session first.

        The parts of a plan that a session never reached are left out. Raises LogError if the log cannot be used.
        """
        # JSON escapes the quotation marks in typed text, so nothing that a user typed can match these LIKE patterns.
        begun = " OR ".join(f"""line LIKE '%"move": "{move.value}"%'""" for move in (MoveKind.NEXT, MoveKind.TASK))
        with self._lock, as_log_error(self.path):
            rows = self._connection.execute(
                f"SELECT parts, (SELECT count(*) FROM events WHERE session = sessions.id AND number >= 0 AND ({begun}))"
                " FROM sessions WHERE started_at >= ? ORDER BY started_at DESC, id",
                (at,),
            ).fetchall()
        return [part for parts, count in rows for part in parts.split(", ")[:count]]

    def unfinished(self) -> SessionRow | None:
        """Return the most recent session that can be resumed, or None. Raises LogError if the log cannot be used."""
        return next((row for row in self.sessions() if row.ended_at is None), None)

    def record_attempt(self, attempt: LoggedAttempt) -> bool:
        """Write one graded submission made outside a session; return False if its id already exists.

        Raises LogError if the log cannot be used.
        """
        with self._lock, as_log_error(self.path):
            added = self._connection.execute(
                "INSERT OR IGNORE INTO attempts VALUES (?, ?, ?, ?, ?, ?, ?, ?)", attempt_row(attempt)
            )
        return added.rowcount == 1

    def attempts(self) -> list[LoggedAttempt]:
        """Return the graded submissions made outside sessions, earliest first.

        Raises LogError if the log cannot be used.
        """
        with self._lock, as_log_error(self.path):
            rows = self._connection.execute(
                "SELECT id, at, task, origin, source, report, wall_seconds, hints FROM attempts ORDER BY at, id"
            ).fetchall()
        attempts = []
        for row in rows:
            try:
                attempts.append(attempt_from_row(row))
            except ValueError as error:
                raise LogDamaged(f"{self.path}: attempt {row[0]}: {error}", _LEFT_AS_IT_IS) from None
        return attempts

    def forget(self, name: str | None, total: Callable[[list[Payment]], str] | None = None) -> int:
        """Delete one session or attempt, or all of them if the id is None; return the number deleted.

        The deleted data is erased from the file. Copies outside the file remain, such as backups, renamed files and
        exports. If `total` is given, the text that it returns replaces the deleted payments, under an id that belongs
        to no session; "" keeps nothing. Raises SessionOpen if a session is open in another window (nothing is deleted
        then), and LogError if the log cannot be used.
        """
        with self._lock, as_log_error(self.path):
            with self._transaction() as execute:
                self._claim_all(execute, name)
                where = "WHERE ?1 IS NULL OR session IN (?1, ?2)"
                rows = execute(f"SELECT session, at, text FROM payments {where}", (name, _FORGOTTEN)).fetchall()
                kept = total([Payment(*row) for row in rows]) if total else ""
                count = 0
                for table, key in (
                    ("sessions", "id"),
                    ("attempts", "id"),
                    ("events", "session"),
                    ("drafts", "session"),
                    ("clocks", "session"),
                    ("payments", "session"),
                    ("live", "session"),
                    ("notes", "session"),
                    ("observers", "session"),
                ):
                    deleted = execute(f"DELETE FROM {table} WHERE ?1 IS NULL OR {key} = ?1", (name,))
                    count += deleted.rowcount if key == "id" else 0
                if kept:
                    execute("INSERT OR REPLACE INTO payments VALUES (?, ?, ?)", (_FORGOTTEN, time.time(), kept))
            # VACUUM rewrites the file; otherwise, deleted rows and replaced drafts would leave their text in unused
            # space.
            self._connection.execute("VACUUM")
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return count

    def _claim_all(self, execute: Execute, name: str | None) -> None:
        """Claim the session with this id, or all sessions, until the log is closed.

        Raises SessionOpen if a session is open in another window, because that window would write to it again.
        """
        for (session,) in execute("SELECT id FROM sessions WHERE ?1 IS NULL OR id = ?1", (name,)).fetchall():
            if not self._try_claim(session):
                raise SessionOpen(
                    f"session {session} is open in another window",
                    "Nothing was deleted. Leave the session in that window, then run interviewer forget again.",
                )

    def save_draft(self, session: str, slot: str, text: str) -> None:
        """Save the text being typed, replacing the slot's previous draft. Raises LogError if the log cannot be used."""
        # Surrogates cannot be stored as UTF-8. A draft may lose lone surrogates; an event does not, because JSON
        # escapes them.
        safe = text.encode("utf-8", "replace").decode("utf-8")
        with self._lock, as_log_error(self.path):
            self._connection.execute(
                "INSERT OR REPLACE INTO drafts VALUES (?, ?, ?, ?)", (session, slot, time.time(), safe)
            )

    def draft(self, session: str, slot: str) -> str:
        """Return the last draft for a slot; "" if none is saved. Raises LogError if the log cannot be used."""
        with self._lock, as_log_error(self.path):
            row = self._connection.execute(
                "SELECT text FROM drafts WHERE session = ? AND slot = ?", (session, slot)
            ).fetchone()
        return str(row[0]) if row else ""

    def save_clock(self, session: str, last_at: float, seconds: float) -> None:
        """Save the number of seconds since the session's last event, which happened at `last_at`.

        Raises LogError if the log cannot be used.
        """
        with self._lock, as_log_error(self.path):
            self._connection.execute("INSERT OR REPLACE INTO clocks VALUES (?, ?, ?)", (session, last_at, seconds))

    def seconds_since(self, session: str, last_at: float) -> float:
        """Return the saved seconds since the session's last event, which happened at `last_at`.

        Raises LogError if the log cannot be used. Return 0 if nothing is saved for this event: lost time is not counted
        against the candidate.
        """
        with self._lock, as_log_error(self.path):
            row = self._connection.execute(
                "SELECT seconds FROM clocks WHERE session = ? AND abs(last_at - ?) < ?",
                (session, last_at, _SAME_EVENT_SECONDS),
            ).fetchone()
        return float(row[0]) if row else 0.0

    def save_payment(self, session: str, text: str) -> None:
        """Save the session's spending, replacing the previous entry. Raises LogError if the log cannot be used."""
        safe = text.encode("utf-8", "replace").decode("utf-8")
        with self._lock, as_log_error(self.path):
            self._connection.execute("INSERT OR REPLACE INTO payments VALUES (?, ?, ?)", (session, time.time(), safe))

    def payment(self, session: str) -> str:
        """Return the session's spending; "" if none is saved. Raises LogError if the log cannot be used."""
        with self._lock, as_log_error(self.path):
            row = self._connection.execute("SELECT text FROM payments WHERE session = ?", (session,)).fetchone()
        return str(row[0]) if row else ""

    def payments(self, since: float) -> list[Payment]:
        """Return all sessions' payments that were recorded since this time (seconds since 1970).

        Raises LogError if the log cannot be used.
        """
        with self._lock, as_log_error(self.path):
            rows = self._connection.execute(
                "SELECT session, at, text FROM payments WHERE at >= ? ORDER BY session", (since,)
            ).fetchall()
        return [Payment(*row) for row in rows]

    def close(self) -> None:
        """Close the file, and release all claims."""
        with self._lock:
            self._connection.close()
            if self._claims is not None:
                self._claims.close()
                self._claims = None

    @contextmanager
    def _transaction(self) -> Iterator[Execute]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield self._connection.execute
            self._connection.execute("COMMIT")
        except BaseException:
            # Use rollback(), not the statement ROLLBACK, which raises an error if SQLite has already rolled back.
            self._connection.rollback()
            raise


def _claimed_byte(session: str) -> int:
    return zlib.crc32(session.encode())


__all__ = [
    "SCHEMA_VERSION",
    "LogDamaged",
    "LogError",
    "LogNewer",
    "LogUnwritable",
    "PracticeLog",
    "SessionOpen",
    "SessionRow",
    "SessionTaken",
]
