"""SIGKILL of the real app in a real terminal loses nothing that stood on the screen for a second."""

from __future__ import annotations

import os
import random
import sys
import time
from pathlib import Path

import pytest

from interviewer.log.store import PracticeLog
from interviewer.session.engine import fold
from tests.terminal import Terminal

KILLS = 4
GRACE_SECONDS = 1.0
APP = [sys.executable, "-m", "interviewer", "interview", "--examiner", "offline", "--question", "ppo_clipping"]


def start(home: Path) -> Terminal:
    """Open the app on an interview in a pseudo-terminal; it waits for an answer."""
    terminal = Terminal(APP, {**os.environ, "INTERVIEWER_HOME": str(home)})
    terminal.until("Your answer")
    return terminal


def type_words(terminal: Terminal, first: int, seconds: float, chance: random.Random) -> list[tuple[float, str]]:
    """Type numbered words so long, now and then Enter; return each word with the time at which it stood on screen."""
    seen: list[tuple[float, str]] = []
    number = first
    while not seen or time.monotonic() < seen[0][0] + seconds:
        word = f"word{number}x"
        terminal.press(f"{word} ")
        terminal.until(word)
        seen.append((time.monotonic(), word))
        terminal.rest(0.02 + chance.random() * 0.1)
        # At most two sends: a third answer without a point may end the question, and then there is no box to type into.
        if number % 16 == 8:
            terminal.press("\r")
        number += 1
    return seen


@pytest.mark.terminal
@pytest.mark.expectation(number=30)
@pytest.mark.expectation(number=46)
@pytest.mark.slow
def test_a_killed_app_keeps_what_was_typed(tmp_path: Path) -> None:
    chance = random.Random(6)
    for kill in range(KILLS):
        terminal = start(tmp_path)
        seen = type_words(terminal, 1000 * (kill + 1), 1.6 + chance.random(), chance)
        killed_at = time.monotonic()
        terminal.kill()

        log = PracticeLog(tmp_path / "data" / "log.db")
        session_id = log.sessions()[0].id
        session = fold(log.events(session_id))
        said = " ".join(turn.text for turn in session.transcript if not turn.is_interviewer)
        kept = f"{said} {log.draft(session_id, 'answer')}"
        log.close()
        lost = [word for at, word in seen if at < killed_at - GRACE_SECONDS and word not in kept]
        assert lost == [], f"kill {kill}"
        assert [word for at, word in seen if at < killed_at - GRACE_SECONDS], "nothing was seen early enough"
