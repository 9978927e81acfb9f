"""A file of any version opens completely; a damaged file is moved aside, kept and reported; nothing is ever deleted."""

from __future__ import annotations

import multiprocessing
import sqlite3
import threading
from contextlib import closing
from dataclasses import replace
from multiprocessing.synchronize import Barrier
from pathlib import Path

import pytest

from interviewer.log import schema, store
from interviewer.log.errors import LogNewer, LogUnwritable
from interviewer.log.store import SCHEMA_VERSION, Payment, PracticeLog
from interviewer.session.engine import fold
from interviewer.session.events import SessionStarted
from tests.log.build import attempt, logged, whole_run, write_schema_1, write_schema_3


def version_of(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        return int(connection.execute("PRAGMA user_version").fetchone()[0])


def tables_of(path: Path) -> dict[str, str]:
    with closing(sqlite3.connect(path)) as connection:
        return dict(connection.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'table'").fetchall())


def test_a_file_of_schema_1_is_migrated_with_every_row(tmp_path: Path) -> None:
    path, run = tmp_path / "log.db", whole_run()
    write_schema_1(path, run)
    log = PracticeLog(path)
    assert log.notices == ()
    assert log.events("s1") == run.events
    assert log.draft("s1", "answer") == "half a sentence"
    assert log.record_attempt(attempt())
    assert log.attempts() == [attempt()]
    log.close()
    assert version_of(path) == SCHEMA_VERSION == 4


@pytest.mark.parametrize("is_open", [True, False])
def test_what_decided_in_the_drafts_of_schema_3_has_a_place_of_its_own(tmp_path: Path, is_open: bool) -> None:
    path, challenge = tmp_path / "log.db", whole_run("s1")
    if is_open:
        challenge.events = challenge.events[:2]
    paid = '{"used": {"cost_usd": 0.5}, "months": {"2026-11": 0.5}, "replies": {"k": "said; \\"quoted\\""}}'
    write_schema_3(path, challenge, whole_run("s2"))
    with closing(sqlite3.connect(path)) as old, old:
        slots = {"challenge": "cuda", "clock": f"{challenge.now!r} 61.5", "paid": paid, "code:gae": "typed"}
        rows = [("s1", slot, 7.0, text) for slot, text in slots.items()]
        old.executemany("INSERT INTO drafts VALUES (?, ?, ?, ?)", rows)
    log = PracticeLog(path)
    start, *rest = log.events("s1")
    assert isinstance(start, SessionStarted)
    assert (start.device, replace(start, device="")) == ("cuda", challenge.events[0])
    assert rest == challenge.events[1:]
    assert fold(log.events("s1")).is_challenge
    assert not fold(log.events("s2")).is_challenge
    assert log.seconds_since("s1", challenge.now) == 61.5
    assert log.payment("s1") == paid
    assert log.payments(since=7.0) == [Payment("s1", 7.0, paid)]
    assert [log.draft("s1", slot) for slot in slots] == ["", "", "", "typed"]
    assert (tmp_path / "log.db.v3.bak").exists()


def test_forgetting_a_session_forgets_its_clock_and_payments(tmp_path: Path) -> None:
    log = logged(PracticeLog(tmp_path / "log.db"), whole_run())
    log.save_clock("s1", 1.0, 2.0)
    log.save_payment("s1", "{}")
    log.forget("s1")
    assert (log.seconds_since("s1", 1.0), log.payment("s1")) == (0.0, "")


def test_a_migrated_file_and_a_new_one_have_the_same_schema(tmp_path: Path) -> None:
    write_schema_1(tmp_path / "old.db", whole_run())
    PracticeLog(tmp_path / "old.db").close()
    PracticeLog(tmp_path / "new.db").close()
    old, new = tables_of(tmp_path / "old.db"), tables_of(tmp_path / "new.db")
    assert {name: " ".join(sql.split()) for name, sql in old.items()} == {
        name: " ".join(sql.split()) for name, sql in new.items()
    }


@pytest.mark.expectation(number=59)
def test_the_backup_holds_what_was_there_before_and_is_made_once(tmp_path: Path) -> None:
    path, run = tmp_path / "log.db", whole_run()
    write_schema_1(path, run)
    PracticeLog(path).close()
    PracticeLog(path).close()
    backups = sorted(path.name for path in tmp_path.iterdir() if "bak" in path.name)
    assert backups == ["log.db.v1.bak"]
    assert version_of(tmp_path / "log.db.v1.bak") == 1
    with closing(sqlite3.connect(tmp_path / "log.db.v1.bak")) as backup:
        assert backup.execute("SELECT count(*) FROM events").fetchone()[0] == len(run.events)


def test_rows_in_the_write_ahead_log_are_in_the_backup_too(tmp_path: Path) -> None:
    path = tmp_path / "log.db"
    write_schema_1(path, whole_run())
    with closing(sqlite3.connect(path)) as still_open:
        still_open.execute("INSERT INTO drafts VALUES ('s1', 'code:gae', 6.0, 'late')")
        still_open.commit()
        assert path.with_name("log.db-wal").stat().st_size > 0
        PracticeLog(path).close()
    with closing(sqlite3.connect(tmp_path / "log.db.v1.bak")) as backup:
        assert backup.execute("SELECT text FROM drafts WHERE slot = 'code:gae'").fetchone() == ("late",)


def test_a_migration_that_fails_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "log.db"
    write_schema_1(path, whole_run())
    monkeypatch.setattr(schema, "STEPS", (schema.STEPS[0], "CREATE TABLE half (x); CREATE NONSENSE"))
    with pytest.raises(LogUnwritable):
        PracticeLog(path)
    monkeypatch.undo()
    assert version_of(path) == 1
    assert "half" not in tables_of(path)
    log = PracticeLog(path)
    assert len(log.sessions()) == 1
    assert (tmp_path / "log.db.v1.bak").exists()
    assert (tmp_path / "log.db.v1.bak.2").exists()


def _open_together(path: Path, barrier: Barrier, name: str) -> None:
    barrier.wait(30)
    log = PracticeLog(path)
    log.record_attempt(attempt(name))
    log.close()


@pytest.mark.parametrize("is_old", [True, False], ids=["schema 1", "new file"])
def test_two_apps_that_start_together_both_work(tmp_path: Path, is_old: bool) -> None:
    path = tmp_path / "log.db"
    if is_old:
        write_schema_1(path, whole_run())
    context = multiprocessing.get_context("spawn")
    barrier = context.Barrier(2)
    children = [context.Process(target=_open_together, args=(path, barrier, name)) for name in ("one", "two")]
    for child in children:
        child.start()
    for child in children:
        child.join(60)
    assert [child.exitcode for child in children] == [0, 0]
    assert {attempt.id for attempt in PracticeLog(path).attempts()} == {"one", "two"}
    backups = [path.name for path in tmp_path.iterdir() if ".bak" in path.name]
    assert backups == (["log.db.v1.bak"] if is_old else [])


def test_while_one_app_opens_a_log_another_waits(tmp_path: Path) -> None:
    """Otherwise, both apps could find a file damaged, and the second one could move the first one's new file aside."""
    opened = threading.Event()

    def open_it() -> None:
        PracticeLog(tmp_path / "log.db").close()
        opened.set()

    with schema.locked_folder(tmp_path):
        second = threading.Thread(target=open_it)
        second.start()
        assert not opened.wait(0.2)
    second.join(30)
    assert opened.is_set()


@pytest.mark.expectation(number=59)
def test_a_newer_file_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "log.db"
    logged(PracticeLog(path), whole_run()).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version={SCHEMA_VERSION + 1}")
    with pytest.raises(LogNewer, match="newer interviewer"):
        PracticeLog(path)
    assert [path.name for path in tmp_path.iterdir()] == ["log.db"]
    assert version_of(path) == SCHEMA_VERSION + 1


def test_a_newer_version_that_is_still_in_the_write_ahead_log_is_refused_too(tmp_path: Path) -> None:
    path = tmp_path / "log.db"
    PracticeLog(path).close()
    with closing(sqlite3.connect(path)) as newer:
        newer.execute(f"PRAGMA user_version={SCHEMA_VERSION + 1}")
        with pytest.raises(LogNewer):
            PracticeLog(path)
        assert newer.execute("PRAGMA user_version").fetchone()[0] == SCHEMA_VERSION + 1


def _garbage(path: Path) -> None:
    path.write_bytes(b"this is not sqlite" * 100)


def _truncated(path: Path) -> None:
    logged(PracticeLog(path), whole_run()).close()
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def _torn_page(path: Path) -> None:
    logged(PracticeLog(path), whole_run()).close()
    data = bytearray(path.read_bytes())
    data[4096 : 4096 + 2048] = b"\xff" * 2048
    path.write_bytes(data)


@pytest.mark.parametrize("damage", [_garbage, _truncated, _torn_page])
def test_a_damaged_file_is_set_aside_kept_and_told(tmp_path: Path, damage: object) -> None:
    path = tmp_path / "log.db"
    assert callable(damage)
    damage(path)
    before = path.read_bytes()
    log = PracticeLog(path)
    aside = [path for path in tmp_path.iterdir() if path.name.startswith("log.db.damaged-")]
    assert len(aside) == 1
    assert aside[0].read_bytes() == before
    assert len(log.notices) == 1
    assert str(aside[0]) in log.notices[0]
    assert log.sessions() == []
    logged(log, whole_run())
    log.close()
    again = PracticeLog(path)
    assert again.notices == ()
    assert len(again.sessions()) == 1


def test_the_write_ahead_log_of_a_damaged_file_goes_with_it(tmp_path: Path) -> None:
    path = tmp_path / "log.db"
    _garbage(path)
    path.with_name("log.db-wal").write_bytes(b"frames of the old file")
    log = PracticeLog(path)
    aside = next(path for path in tmp_path.iterdir() if path.name.startswith("log.db.damaged-") and "-wal" in path.name)
    assert aside.read_bytes() == b"frames of the old file"
    assert log.sessions() == []


def test_a_file_into_which_the_write_ahead_log_was_half_copied_is_not_damaged(tmp_path: Path) -> None:
    """A file looks like this for a moment while another app copies, and stays like this if that app is killed."""
    path, half = tmp_path / "log.db", tmp_path / "half.db"
    log = logged(PracticeLog(path), whole_run())
    wal = path.with_name("log.db-wal").read_bytes()
    log.close()
    half.write_bytes(path.read_bytes()[:4096])
    half.with_name("half.db-wal").write_bytes(wal)
    again = PracticeLog(half)
    assert again.notices == ()
    assert len(again.sessions()) == 1
    assert not list(tmp_path.glob("half.db.damaged-*"))


def test_two_damaged_files_in_one_second_are_both_kept(tmp_path: Path) -> None:
    path = tmp_path / "log.db"
    for number in range(2):
        path.write_bytes(b"not a database %d" % number * 50)
        PracticeLog(path).close()
    aside = {path.read_bytes()[:16] for path in tmp_path.iterdir() if path.name.startswith("log.db.damaged-")}
    assert aside == {b"not a database 0", b"not a database 1"}


def test_a_full_disk_is_told_and_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    connection, notices = schema.open_database(tmp_path / "log.db")
    monkeypatch.setattr(store, "open_database", lambda _: (connection, notices))
    log = logged(PracticeLog(tmp_path / "log.db"), whole_run())
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.execute(f"PRAGMA max_page_count={pages}")
    with pytest.raises(LogUnwritable, match="full"):
        log.record_attempt(attempt(source="x" * 200_000))
    assert log.attempts() == []
    assert len(log.events("s1")) == len(whole_run().events)
