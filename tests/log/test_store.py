"""What was written survives any stop; a file that cannot be used is reported and left unchanged."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sqlite3
import stat
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from interviewer.log import store
from interviewer.log.schema import open_database
from interviewer.log.store import LogDamaged, LogUnwritable, PracticeLog, SessionOpen, SessionTaken
from interviewer.session import events
from tests.session.build import Run, heard, started

ONE = ("question", "clipping")


def written(log: PracticeLog) -> Run:
    """Write a short session into the log and return it."""
    run = Run(started(ONE))
    run.answer(heard("p1"), text="words \ud83d and [b]markup[/b]\x00")
    for number, event in enumerate(run.events):
        log.append("s1", number, event)
    return run


def test_events_come_back_in_order_and_equal(tmp_path: Path) -> None:
    log = PracticeLog(tmp_path / "data" / "log.db")
    run = written(log)
    assert log.events("s1") == run.events
    assert log.events("other") == []
    reopened = PracticeLog(log.path)
    assert reopened.events("s1") == run.events


@pytest.mark.expectation(number=6)
def test_the_folder_is_private(tmp_path: Path) -> None:
    log = PracticeLog(tmp_path / "data" / "log.db")
    assert stat.S_IMODE(log.path.parent.stat().st_mode) == 0o700


def test_sessions_are_listed_latest_first_with_their_end(tmp_path: Path) -> None:
    log = PracticeLog(tmp_path / "log.db")
    run = written(log)
    assert [(row.id, row.ended_at, row.parts) for row in log.sessions()] == [("s1", None, "clipping")]
    count = len(run.events)
    run.apply(events.EndAsked(run.now))
    for number, event in enumerate(run.events[count:], count):
        log.append("s1", number, event)
    assert log.sessions()[0].ended_at is not None


def test_drafts_replace_each_other_and_survive_a_reopen(tmp_path: Path) -> None:
    log = PracticeLog(tmp_path / "log.db")
    log.save_draft("s1", "answer", "first")
    log.save_draft("s1", "answer", "second \ud800 \x00")
    log.save_draft("s1", "code:gae", "def gae(): ...")
    reopened = PracticeLog(log.path)
    assert reopened.draft("s1", "answer") == "second ? \x00"
    assert reopened.draft("s1", "code:gae") == "def gae(): ..."
    assert reopened.draft("s1", "code:none") == ""


def test_two_apps_cannot_both_continue_one_session(tmp_path: Path) -> None:
    first, second = PracticeLog(tmp_path / "log.db"), PracticeLog(tmp_path / "log.db")
    run = written(first)
    number = len(run.events)
    first.append("s1", number, events.HintAsked(5.0))
    with pytest.raises(SessionTaken, match="another instance of interviewer"):
        second.append("s1", number, events.SkipAsked(5.0))
    assert first.events("s1")[-1] == events.HintAsked(5.0)


def test_two_apps_and_many_threads_write_side_by_side(tmp_path: Path) -> None:
    logs = [PracticeLog(tmp_path / "log.db") for _ in range(2)]
    written(logs[0])

    def scribble(log: PracticeLog, slot: str) -> None:
        for number in range(20):
            log.save_draft("s1", slot, str(number))

    threads = [threading.Thread(target=scribble, args=(logs[n % 2], f"slot{n}")) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [logs[0].draft("s1", f"slot{n}") for n in range(6)] == ["19"] * 6


def test_a_line_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    log = PracticeLog(tmp_path / "log.db")
    written(log)
    connection = sqlite3.connect(log.path)
    connection.execute('UPDATE events SET line = \'{"format": 1, "kind": "Telepathy"}\' WHERE number = 1')
    connection.commit()
    with pytest.raises(LogDamaged, match="event 1 of session s1"):
        log.events("s1")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "locked").mkdir(mode=0o500)
    with pytest.raises(LogUnwritable, match="INTERVIEWER_HOME"):
        PracticeLog(tmp_path / "locked" / "data" / "log.db")


class FullDisk:
    """Wraps a connection, and makes the first commit fail with a full disk."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._is_full = True

    def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:
        if sql == "COMMIT" and self._is_full:
            self._is_full = False
            raise sqlite3.OperationalError("database or disk is full")
        return self._connection.execute(sql, *values)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)


def test_a_disk_that_was_full_for_a_moment_costs_one_event_and_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    connection, notices = open_database(tmp_path / "log.db")
    monkeypatch.setattr(store, "open_database", lambda _: (FullDisk(connection), notices))
    log = PracticeLog(tmp_path / "log.db")
    start = started(ONE)
    with pytest.raises(LogUnwritable, match="disk is full"):
        log.append("s1", 0, start)
    assert log.sessions() == []
    log.append("s1", 0, start)
    assert log.events("s1") == [start]


def test_a_path_below_a_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(LogUnwritable) as caught:
        PracticeLog(tmp_path / "file" / "log.db")
    assert "INTERVIEWER_HOME" in caught.value.fix


@pytest.mark.expectation(number=58)
@pytest.mark.parametrize("name", ["s1", None])
def test_what_is_forgotten_is_in_no_byte_of_the_file(tmp_path: Path, name: str | None) -> None:
    log = PracticeLog(tmp_path / "log.db")
    written(log)
    other = Run(replace(started(ONE), session="s2"))
    log.append("s2", 0, *other.events)
    log.append("s1", len(log.events("s1")), events.CandidateSaid(9.0, "embarrassing words " * 500))
    for words in ("embarrassing draft " * 90, "short"):
        log.save_draft("s1", "answer", words)
    assert log.forget(name) == (1 if name else 2)
    assert log.forget("s1") == 0
    assert [row.id for row in log.sessions()] == (["s2"] if name else [])
    assert log.events("s1") == []
    assert log.draft("s1", "answer") == ""
    assert log.events("s2") == (other.events if name else [])
    left = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b"embarrassing" not in left


def _keep_open(path: Path, ready: multiprocessing.synchronize.Event) -> None:
    log = PracticeLog(path)
    log.claim("s1")
    ready.set()
    signal.pause()


def test_a_session_that_is_open_in_another_window_is_not_forgotten(tmp_path: Path) -> None:
    log = PracticeLog(tmp_path / "log.db")
    run, other = written(log), Run(replace(started(ONE), session="s2"))
    log.append("s2", 0, *other.events)
    context = multiprocessing.get_context("spawn")
    ready = context.Event()
    window = context.Process(target=_keep_open, args=(tmp_path / "log.db", ready))
    window.start()
    assert ready.wait(20)
    for name in ("s1", None):
        with pytest.raises(SessionOpen, match="s1"):
            log.forget(name)
    assert [log.events(name) for name in ("s1", "s2")] == [run.events, other.events]
    assert log.forget("s2") == 1
    window.kill()
    window.join()
    assert log.forget("s1") == 1


def _write_until_killed(path: Path, ready: multiprocessing.synchronize.Event) -> None:
    log = PracticeLog(path)
    log.append("s1", 0, started(ONE))
    number = 1
    while True:
        log.append("s1", number, events.CandidateSaid(float(number), f"turn {number}"))
        # Replaced, not overwritten: a kill in between would leave an empty file.
        (path.parent / "next").write_text(str(number))
        (path.parent / "next").replace(path.parent / "last")
        ready.set()
        number += 1


def test_a_kill_loses_nothing_that_was_written(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    ready = context.Event()
    child = context.Process(target=_write_until_killed, args=(tmp_path / "log.db", ready))
    child.start()
    assert ready.wait(20)
    child.join(0.3)
    assert child.pid is not None
    os.kill(child.pid, signal.SIGKILL)
    child.join()
    last = int((tmp_path / "last").read_text())
    kept = PracticeLog(tmp_path / "log.db").events("s1")
    assert last > 0
    assert len(kept) >= last + 1
    assert [event.at for event in kept[1:]] == [float(n) for n in range(1, len(kept))]
