"""SIGKILL of the real app in a real terminal loses nothing that was typed more than a second before."""

from __future__ import annotations

import fcntl
import os
import pty
import random
import select
import signal
import struct
import sys
import termios
import time
from pathlib import Path

import pytest

from interviewer.log.store import PracticeLog
from interviewer.session.engine import fold

KILLS = 4
GRACE_SECONDS = 1.0
APP = [sys.executable, "-m", "interviewer", "interview", "--examiner", "offline", "--question", "ppo_clipping"]


def start(home: Path) -> tuple[int, int]:
    """Start the app in a pseudo-terminal of 100×30; return its process id and the terminal's descriptor."""
    process_id, terminal = pty.fork()
    if process_id == 0:
        os.environ.update({"INTERVIEWER_HOME": str(home), "TERM": "xterm-256color", "COLORTERM": "truecolor"})
        os.execv(APP[0], APP)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
    return process_id, terminal


def drain(terminal: int, seconds: float, until: bytes = b"") -> bool:
    """Read what the app draws for that long, or until it has drawn this text; tell whether it has."""
    seen, end = b"", time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        if select.select([terminal], [], [], left)[0]:
            seen += os.read(terminal, 65536)
            if until and until in seen:
                return True
    return False


def type_words(terminal: int, first: int, seconds: float, chance: random.Random) -> list[tuple[float, str]]:
    """Type numbered words, now and then Enter; return each word with the time at which it was typed."""
    typed: list[tuple[float, str]] = []
    end = time.monotonic() + seconds
    number = first
    while time.monotonic() < end:
        word = f"word{number}x"
        os.write(terminal, f"{word} ".encode())
        typed.append((time.monotonic(), word))
        drain(terminal, 0.02 + chance.random() * 0.1)
        # At most two sends: a third answer without a point may end the question, and then there is no box to type into.
        if number % 16 == 8:
            os.write(terminal, b"\r")
        number += 1
    return typed


@pytest.mark.slow
def test_a_killed_app_keeps_what_was_typed(tmp_path: Path) -> None:
    chance = random.Random(6)
    for kill in range(KILLS):
        process_id, terminal = start(tmp_path)
        assert drain(terminal, 20, until=b"Your answer"), "the app did not open"
        typed = type_words(terminal, 1000 * (kill + 1), 1.6 + chance.random(), chance)
        killed_at = time.monotonic()
        os.kill(process_id, signal.SIGKILL)
        os.waitpid(process_id, 0)
        os.close(terminal)

        log = PracticeLog(tmp_path / "data" / "log.db")
        session_id = log.sessions()[0].id
        session = fold(log.events(session_id))
        said = " ".join(turn.text for turn in session.transcript if not turn.is_interviewer)
        kept = f"{said} {log.draft(session_id, 'answer')}"
        log.close()
        lost = [word for at, word in typed if at < killed_at - GRACE_SECONDS and word not in kept]
        assert lost == [], f"kill {kill}"
        assert [word for at, word in typed if at < killed_at - GRACE_SECONDS], "nothing was typed early enough"
