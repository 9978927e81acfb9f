"""Stores observers' notes on a running session, and who is watching; writing a note requires a valid token.

The token represents the candidate's consent. The token is not access control: anyone who can read the file can read the
session.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import sqlite3
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from interviewer.log.errors import NotAdmitted, as_log_error

ASK, TICK, UNTICK = "ask", "tick", "untick"
# A question that was still waiting when the session was closed to observers; it is kept but never asked.
TOO_LATE = "too late"
# An observer without a heartbeat for this long is considered gone.
GONE_SECONDS = 5.0
NOTES_MAX = 1000
TEXT_CHARACTERS_MAX = 2000
WHO_CHARACTERS_MAX = 40
_ASK_CANDIDATE = "Ask the candidate for the token currently shown on their screen (interviewer interview --live)."


@dataclass(frozen=True)
class Note:
    """One note; `number` counts from 1 within its session."""

    number: int
    at: float
    who: str
    kind: str
    text: str


class Notes:
    """The notes, tokens and heartbeats stored in one log file."""

    def __init__(self, path: Path, connection: sqlite3.Connection, lock: threading.Lock) -> None:
        self._path = path
        self._connection = connection
        self._lock = lock

    def open(self, session: str, at: float, token: str = "") -> str:
        """Let observers join a session; return the token, which invalidates all earlier tokens.

        Raises LogError if the log cannot be used. Only the token's hash is stored. Pass `token` to reuse a token that
        the candidate has already shared.
        """
        token = token or "-".join(secrets.token_hex(2) for _ in range(4))
        self._write("INSERT OR REPLACE INTO live VALUES (?, ?, ?)", session, _hashed(session, token), at)
        return token

    def close(self, session: str, asked: int | None = None) -> None:
        """Invalidate the token, so nobody can join or write anymore. Raises LogError if the log cannot be used.

        If `asked` is given, the observers' questions numbered above it are never asked, even if the session is opened
        again.
        """
        self._write("DELETE FROM live WHERE session = ?", session)
        if asked is not None:
            self._write(
                "UPDATE notes SET kind = ? WHERE session = ? AND kind = ? AND number > ?", TOO_LATE, session, ASK, asked
            )

    def session_of(self, token: str, session: str | None = None) -> str:
        """Return the unfinished session for this token. If `session` is given, only that session is considered.

        Raises NotAdmitted if the token is invalid, and LogError if the log cannot be used.
        """
        rows = self._read(
            "SELECT session, token_hash FROM live JOIN sessions ON id = session"
            " WHERE ended_at IS NULL AND (?1 IS NULL OR session = ?1)",
            session,
        )
        for name, token_hash in rows:
            if hmac.compare_digest(_hashed(str(name), token), str(token_hash)):
                return str(name)
        if not rows:
            subject = f"session {session} is" if session else "no session is"
            raise NotAdmitted(f"{subject} {'not ' if session else ''}open to observers", _ASK_CANDIDATE)
        raise NotAdmitted("no session has this token", _ASK_CANDIDATE)

    def add(self, session: str, token: str, who: str, kind: str, text: str, at: float) -> None:
        """Write one note.

        Raises NotAdmitted if the token is invalid, the session is over or it has too many notes.
        """
        row = (session, at, _safe(who, WHO_CHARACTERS_MAX), kind, _safe(text, TEXT_CHARACTERS_MAX))
        added = self._write(
            "INSERT INTO notes SELECT ?1, 1 + (SELECT coalesce(max(number), 0) FROM notes WHERE session = ?1),"
            " ?2, ?3, ?4, ?5 WHERE EXISTS (SELECT 1 FROM live WHERE session = ?1 AND token_hash = ?6)"
            " AND NOT EXISTS (SELECT 1 FROM sessions WHERE id = ?1 AND ended_at IS NOT NULL)"
            " AND (SELECT count(*) FROM notes WHERE session = ?1) < ?7",
            *row,
            _hashed(session, token),
            NOTES_MAX,
        )
        if not added:
            if self._read("SELECT 1 FROM sessions WHERE id = ? AND ended_at IS NOT NULL", session):
                raise NotAdmitted(f"session {session} is over", "You can no longer send questions or marks.")
            self.session_of(token, session)
            raise NotAdmitted(
                f"session {session} already has {NOTES_MAX} notes, which is the limit", "You can keep watching."
            )

    def after(self, session: str, number: int = 0) -> list[Note]:
        """Return the notes numbered above `number`, in order. Raises LogError if the log cannot be used."""
        rows = self._read(
            "SELECT number, at, who, kind, text FROM notes WHERE session = ? AND number > ? ORDER BY number",
            session,
            number,
        )
        return [Note(*row) for row in rows]

    def heartbeat(self, session: str, token: str, who: str, at: float) -> None:
        """Record that an observer is present now. Raises NotAdmitted if the token is invalid."""
        added = self._write(
            "INSERT OR REPLACE INTO observers SELECT ?1, ?2, ?3"
            " WHERE EXISTS (SELECT 1 FROM live WHERE session = ?1 AND token_hash = ?4)",
            session,
            _safe(who, WHO_CHARACTERS_MAX),
            at,
            _hashed(session, token),
        )
        if not added:
            raise NotAdmitted("this token is no longer valid for the session", _ASK_CANDIDATE)

    def leave(self, session: str, who: str) -> None:
        """Record that an observer has left. Raises LogError if the log cannot be used."""
        self._write("DELETE FROM observers WHERE session = ? AND who = ?", session, _safe(who, WHO_CHARACTERS_MAX))

    def present(self, session: str, now: float) -> list[str]:
        """Return the names of the observers currently watching a session. Raises LogError if the log cannot be used."""
        rows = self._read(
            "SELECT who FROM observers WHERE session = ? AND abs(? - seen_at) < ? ORDER BY who",
            session,
            now,
            GONE_SECONDS,
        )
        return [str(who) for (who,) in rows]

    def _read(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        with self._lock, as_log_error(self._path):
            return self._connection.execute(sql, values).fetchall()

    def _write(self, sql: str, *values: object) -> int:
        with self._lock, as_log_error(self._path):
            return self._connection.execute(sql, values).rowcount


def _hashed(session: str, token: str) -> str:
    plain = f"{session}:{token.strip().lower()}"
    return hashlib.sha256(plain.encode("utf-8", "replace")).hexdigest()


def _safe(text: str, characters_max: int) -> str:
    # Surrogates cannot be stored as UTF-8.
    return text[:characters_max].encode("utf-8", "replace").decode("utf-8")
