"""Only the token now shown on the candidate's screen can join, write and send heartbeats; notes stay in order."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from interviewer.interview.sessions import resume_session
from interviewer.log import observer_notes
from interviewer.log.errors import NotAdmitted
from interviewer.log.observer_notes import ASK, GONE_SECONDS
from interviewer.log.store import SCHEMA_VERSION, PracticeLog
from tests.log.build import logged, run_of, whole_run, write_schema_1

NOW = 5000.0


@pytest.fixture
def log(tmp_path: Path) -> PracticeLog:
    return logged(PracticeLog(tmp_path / "log.db"), run_of("s1"), run_of("s2"))


def test_without_a_token_nobody_joins_and_a_wrong_one_does_not_help(log: PracticeLog) -> None:
    with pytest.raises(NotAdmitted, match="s1 is not open"):
        log.notes.session_of("0000", "s1")
    token = log.notes.open("s1", NOW)
    assert log.notes.session_of(token) == log.notes.session_of(f" {token.upper()}\n", "s1") == "s1"
    for wrong, session in (("0000-0000-0000-0000", "s1"), ("", None), (token, "s2")):
        with pytest.raises(NotAdmitted):
            log.notes.session_of(wrong, session)
    with pytest.raises(NotAdmitted):
        log.notes.add("s1", "no", "eve", ASK, "?", NOW)
    with pytest.raises(NotAdmitted):
        log.notes.heartbeat("s1", "no", "eve", NOW)
    assert (log.notes.after("s1"), log.notes.present("s1", NOW)) == ([], [])


def test_the_token_itself_is_in_no_byte_of_the_file(log: PracticeLog, tmp_path: Path) -> None:
    token = log.notes.open("s1", NOW)
    log.notes.heartbeat("s1", token, "ada", NOW)
    assert all(token.encode() not in path.read_bytes() for path in tmp_path.iterdir())


def test_a_new_token_and_a_session_picked_up_again_shut_the_old_one_out(log: PracticeLog) -> None:
    old = log.notes.open("s1", NOW)
    new = log.notes.open("s1", NOW)
    with pytest.raises(NotAdmitted):
        log.notes.heartbeat("s1", old, "ada", NOW)
    log.notes.heartbeat("s1", new, "ada", NOW)
    resume_session(log, "s1", lambda: NOW)
    with pytest.raises(NotAdmitted):
        log.notes.add("s1", new, "ada", ASK, "?", NOW)


def test_a_finished_session_is_joined_by_nobody(log: PracticeLog) -> None:
    logged(log, whole_run("s3"))
    token = log.notes.open("s3", NOW)
    with pytest.raises(NotAdmitted):
        log.notes.session_of(token)


def test_a_finished_session_takes_no_more_notes(log: PracticeLog) -> None:
    token = log.notes.open("s3", NOW)
    logged(log, whole_run("s3"))
    with pytest.raises(NotAdmitted, match="s3 is over"):
        log.notes.add("s3", token, "ada", ASK, "?", NOW)
    # An observer who already watches still reads the end of the session.
    log.notes.heartbeat("s3", token, "ada", NOW)
    assert log.notes.after("s3") == []


def test_an_observer_is_there_while_it_beats_and_gone_after_five_seconds(log: PracticeLog) -> None:
    token = log.notes.open("s1", NOW)
    log.notes.heartbeat("s1", token, "ada", NOW)
    log.notes.heartbeat("s1", token, "bob", NOW + 3)
    assert GONE_SECONDS == 5
    assert log.notes.present("s1", NOW + 4.9) == ["ada", "bob"]
    assert log.notes.present("s1", NOW + 5.1) == ["bob"]
    log.notes.leave("s1", "bob")
    assert log.notes.present("s1", NOW + 3) == ["ada"]
    assert log.notes.present("s2", NOW + 3) == []


def test_notes_are_numbered_by_session_capped_and_forgotten(log: PracticeLog, monkeypatch: pytest.MonkeyPatch) -> None:
    token, other = log.notes.open("s1", NOW), log.notes.open("s2", NOW)
    monkeypatch.setattr(observer_notes, "NOTES_MAX", 3)
    log.notes.add("s2", other, "ada", ASK, "elsewhere", NOW)
    for text in ("one", "two\ud800", "x" * 10_000):
        log.notes.add("s1", token, "ada", ASK, text, NOW)
    stored = log.notes.after("s1")
    assert [(note.number, note.text[:4], len(note.text)) for note in stored] == [
        (1, "one", 3),
        (2, "two?", 4),
        (3, "xxxx", 2000),
    ]
    assert [note.number for note in log.notes.after("s1", 2)] == [3]
    with pytest.raises(NotAdmitted, match="already has 3 notes"):
        log.notes.add("s1", token, "ada", ASK, "four", NOW)
    log.forget("s1")
    assert log.notes.after("s1") == []
    assert len(log.notes.after("s2")) == 1


@pytest.mark.parametrize("version", [1, 2])
def test_a_file_of_every_past_schema_gains_the_tables_and_a_backup(tmp_path: Path, version: int) -> None:
    path, run = tmp_path / "log.db", whole_run()
    write_schema_1(path, run)
    if version == 2:
        with closing(sqlite3.connect(path)) as old, old:
            old.execute(
                "CREATE TABLE attempts (id TEXT PRIMARY KEY, at REAL NOT NULL, task TEXT NOT NULL,"
                " origin TEXT NOT NULL, source TEXT NOT NULL,"
                " report TEXT NOT NULL, wall_seconds REAL, hints INTEGER NOT NULL) STRICT"
            )
            old.execute("PRAGMA user_version=2")
    log = PracticeLog(path)
    assert log.events("s1") == run.events
    assert log.notes.after("s1") == []
    assert log.attempts() == []
    log.close()
    with closing(sqlite3.connect(path)) as today:
        assert today.execute("PRAGMA user_version").fetchone()[0] == SCHEMA_VERSION == 4
    assert (tmp_path / f"log.db.v{version}.bak").exists()
