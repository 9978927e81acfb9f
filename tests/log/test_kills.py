"""A writer that is killed at any moment leaves a log that opens, contains what was acknowledged, and can be folded."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import time
from multiprocessing.connection import Connection
from pathlib import Path

from interviewer.log.history import read_history
from interviewer.log.store import PracticeLog
from tests.log.build import attempt, unmasked, whole_run

KILLS = 10


def _write_for_ever(path: Path, life: int, said: Connection) -> None:
    log = PracticeLog(path)
    events = whole_run(f"life{life}").events
    number = 0
    while True:
        if number < len(events):
            log.append(f"life{life}", number, events[number])
        log.record_attempt(attempt(f"life{life}-{number}", float(number)))
        log.save_draft(f"life{life}", "answer", "typing " * (number % 50))
        said.send(number)
        number += 1


def test_ten_kills_lose_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    path, chance = tmp_path / "log.db", random.Random(7)
    # Forked, because starting an interpreter takes longer than the code under test; the children only write the log.
    context = multiprocessing.get_context("fork")
    for life in range(KILLS):
        hears, says = context.Pipe(duplex=False)
        writer = context.Process(target=_write_for_ever, args=(path, life, says))
        writer.start()
        assert hears.poll(20), "the writer wrote nothing"
        time.sleep(chance.random() * 0.08)
        assert writer.pid is not None
        os.kill(writer.pid, signal.SIGKILL)
        writer.join()
        says.close()
        acknowledged = 0
        while hears.poll():
            try:
                acknowledged = hears.recv()
            except EOFError:
                break

        log = PracticeLog(path)
        assert log.notices == ()
        events = whole_run(f"life{life}").events
        kept = log.events(f"life{life}")
        assert kept == events[: len(kept)]
        assert len(kept) >= min(acknowledged + 1, len(events))
        assert len([attempt for attempt in log.attempts() if attempt.id.startswith(f"life{life}-")]) >= acknowledged + 1
        history = read_history(log, unmasked)
        assert (len(history.sessions), history.unreadable) == (life + 1, ())
        log.close()
