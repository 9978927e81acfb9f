"""Opens the file and migrates it to the current schema; no row of an older or corrupt file is ever deleted.

An older file is copied (`log.db.v1.bak`) before it is changed. A corrupt file is renamed
(`log.db.damaged-20261121-173000`) and replaced with a new file, and the caller gets a notice to show.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from interviewer.log.errors import LogNewer

# Step n migrates version n - 1 to n. All migration steps also run on a new file, so migrated and new files have the
# same schema.
STEPS = (
    """
CREATE TABLE sessions (id TEXT PRIMARY KEY, started_at REAL NOT NULL, ended_at REAL, examiner TEXT NOT NULL,
                       parts TEXT NOT NULL) STRICT;
CREATE TABLE events (session TEXT NOT NULL REFERENCES sessions(id), number INTEGER NOT NULL, at REAL NOT NULL,
                     line TEXT NOT NULL, PRIMARY KEY (session, number)) STRICT;
CREATE TABLE drafts (session TEXT NOT NULL, slot TEXT NOT NULL, at REAL NOT NULL, text TEXT NOT NULL,
                     PRIMARY KEY (session, slot)) STRICT;
""",
    # Seed, device, isolation and verdict are in the report; storing them twice would risk inconsistencies.
    """
CREATE TABLE attempts (id TEXT PRIMARY KEY, at REAL NOT NULL, task TEXT NOT NULL, origin TEXT NOT NULL,
                       source TEXT NOT NULL, report TEXT NOT NULL, wall_seconds REAL, hints INTEGER NOT NULL) STRICT;
""",
    # Observers may join a session while it has a row in `live`.
    """
CREATE TABLE live (session TEXT PRIMARY KEY, token_hash TEXT NOT NULL, opened_at REAL NOT NULL) STRICT;
CREATE TABLE notes (session TEXT NOT NULL, number INTEGER NOT NULL, at REAL NOT NULL, who TEXT NOT NULL,
                    kind TEXT NOT NULL, text TEXT NOT NULL, PRIMARY KEY (session, number)) STRICT;
CREATE TABLE observers (session TEXT NOT NULL, who TEXT NOT NULL, seen_at REAL NOT NULL,
                        PRIMARY KEY (session, who)) STRICT;
""",
    # Data that affects a session is not stored as a draft. A challenge's device is stored in its first event. The clock
    # and the payments (the session's paid model replies and their cost) have their own tables. This is the only step
    # that changes an event. The step inserts a challenge's device at the start of the event's JSON text instead of
    # rewriting the text, so nothing else in the event can change.
    """
CREATE TABLE clocks (session TEXT PRIMARY KEY, last_at REAL NOT NULL, seconds REAL NOT NULL) STRICT;
CREATE TABLE payments (session TEXT PRIMARY KEY, at REAL NOT NULL, text TEXT NOT NULL) STRICT;
UPDATE events SET line = (SELECT '{"device": "' || text || '", ' || substr(line, 2) FROM drafts
                          WHERE drafts.session = events.session AND slot = 'challenge')
    WHERE number = 0 AND line LIKE '{%' AND session IN
        (SELECT session FROM drafts WHERE slot = 'challenge' AND text IN ('cpu', 'cuda'));
INSERT INTO clocks SELECT session, CAST(substr(text, 1, instr(text, ' ') - 1) AS REAL),
                          CAST(substr(text, instr(text, ' ') + 1) AS REAL)
    FROM drafts WHERE slot = 'clock' AND instr(text, ' ') > 0;
INSERT INTO payments SELECT session, at, text FROM drafts WHERE slot = 'paid';
DELETE FROM drafts WHERE slot IN ('challenge', 'clock', 'paid');
""",
)
SCHEMA_VERSION = len(STEPS)
# Size in bytes of SQLite's smallest page.
_SIZE_MIN = 512


def open_database(path: Path) -> tuple[sqlite3.Connection, tuple[str, ...]]:
    """Return a connection at the current schema, and notices for the user.

    Raises LogNewer if a newer version wrote the log, and sqlite3.Error if the log cannot be opened.
    """
    # Only one app may do this at a time: if two apps created the file simultaneously, SQLite would fail, and both apps
    # could move the file aside.
    with locked_folder(path.parent):
        damage = _damage(path)
        notices = (_set_aside(path, damage),) if damage else ()
        connection = _connect(path)
        connection.execute("PRAGMA journal_mode=WAL")
        # Use FULL, not NORMAL: once the app has acted on an event, the event must survive a power failure. FULL is
        # slower, but events are rare.
        connection.execute("PRAGMA synchronous=FULL")
        _migrate(path, connection)
    return connection, notices


def _connect(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, timeout=10, check_same_thread=False, isolation_level=None)


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _damage(path: Path) -> str:
    """Return a description of the corruption, or "" if there is none. The check takes 6 ms for 300 sessions."""
    if not path.exists():
        return ""
    wal, size = path.with_name(f"{path.name}-wal"), path.stat().st_size
    try:
        # First check only the file's header: SQLite deletes the write-ahead log if the file is not a database. Do not
        # use open(): closing the file would release the locks of all other connections in this process.
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
            _check_header(connection)
        if size < _SIZE_MIN and (size or (wal.exists() and wal.stat().st_size)):
            return "the file is too short to be a database"
        with closing(_connect(path)) as connection:
            # Check the version before the integrity check: this version of SQLite may report a newer schema as
            # malformed.
            if (version := _version(connection)) > SCHEMA_VERSION:
                raise LogNewer(
                    f"{path}: written by a newer interviewer (schema {version}; this version knows {SCHEMA_VERSION})",
                    "Upgrade interviewer, or set INTERVIEWER_HOME to a different folder.",
                )
            result = str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])
    except sqlite3.OperationalError:
        # A locked or unreadable file, or a full disk, does not mean that the file's content is corrupt.
        raise
    except sqlite3.DatabaseError as error:
        return str(error)
    return "" if result == "ok" else result.splitlines()[0]


def _check_header(connection: sqlite3.Connection) -> None:
    """Raise sqlite3.DatabaseError if the file is not a database.

    An intact file that is read without its write-ahead log can look malformed while an app is checkpointing the log, or
    if an app was killed during a checkpoint.
    """
    try:
        _version(connection)
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode != sqlite3.SQLITE_CORRUPT:
            raise


@contextmanager
def locked_folder(folder: Path) -> Iterator[None]:
    """Acquire and hold the folder lock, which protects opening, renaming and migrating a log."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        # Some network file systems do not support locks; a single app can use the log without a lock.
        with suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _set_aside(path: Path, damage: str) -> str:
    aside = _unused(path.with_name(f"{path.name}.damaged-{time.strftime('%Y%m%d-%H%M%S')}"))
    # Rename the main file last: a new log must never be opened with the write-ahead log of the old file.
    for ending in ("-wal", "-shm", ""):
        part = path.with_name(path.name + ending)
        if part.exists():
            part.rename(aside.with_name(aside.name + ending))
    return (
        f"The practice log was damaged ({damage}). The file was moved to {aside}, and a new log was started. "
        f"You may be able to recover it with sqlite3 {aside} .recover"
    )


def _migrate(path: Path, connection: sqlite3.Connection) -> None:
    if _version(connection) == SCHEMA_VERSION:
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        # Read the version again under SQLite's own lock, because the folder may not support locks.
        version = _version(connection)
        if 0 < version < SCHEMA_VERSION:
            _back_up(path, version)
        for step in STEPS[version:]:
            for statement in step.split(";"):
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version={SCHEMA_VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        connection.rollback()
        raise


def _back_up(path: Path, version: int) -> None:
    """Back up the database through SQLite; a plain file copy would miss the write-ahead log."""
    kept = _unused(path.with_name(f"{path.name}.v{version}.bak"))
    half = kept.with_name(f"{kept.name}.half")
    with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(half)) as target:
        source.backup(target)
    half.replace(kept)


def _unused(path: Path) -> Path:
    names = (path if number == 1 else path.with_name(f"{path.name}.{number}") for number in range(1, 10**6))
    return next(name for name in names if not name.exists())
