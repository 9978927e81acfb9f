"""SIGKILL of the real app in a real terminal loses nothing that was saved, and the app saves during typing."""

from __future__ import annotations

import os
import random
import sys
from pathlib import Path

import pytest

from interviewer.log.store import PracticeLog
from interviewer.session.engine import fold
from interviewer.tui.screens.session import DELAY_SECONDS
from tests.subjects import starts
from tests.terminal import Terminal

KILLS = 4
WORDS_MAX = 150
APP = [sys.executable, "-m", "interviewer", "interview", "--examiner", "offline", "--question", "ppo_clipping"]


def start(home: Path) -> Terminal:
    """Open the app on an interview in a pseudo-terminal; it waits for an answer."""
    terminal = Terminal(APP, {**os.environ, "INTERVIEWER_HOME": str(home)})
    terminal.until("Your answer")
    return terminal


def kept_text(log: PracticeLog) -> str:
    """Return the contents of the latest session in the log: what was sent, and the draft."""
    session_id = log.sessions()[0].id
    turns = fold(log.events(session_id)).transcript
    sent = " ".join(turn.text for turn in turns if not turn.is_interviewer)
    return f"{sent} {log.draft(session_id, 'answer')}"


def type_until_kept(terminal: Terminal, log: PracticeLog, first: int, chance: random.Random) -> list[str]:
    """Type numbered words with an occasional Enter until the draft in the log contains one; return the words up to it.

    At least about ten words, without a pause that would give the app time to save.
    """
    words: list[str] = []
    least = chance.randrange(10, 25)
    for number in range(first, first + WORDS_MAX):
        words.append(f"word{number}x")
        terminal.press(f"{words[-1]} ")
        terminal.until(words[-1])
        terminal.rest(0.02 + chance.random() * 0.1)
        # At most two sends: a third answer without a point may end the question, and then there is no box to type into.
        if number % 16 == 8 and number < first + 32:
            terminal.press("\r")
        draft = log.draft(log.sessions()[0].id, "answer")
        kept = [word for word in words if word in draft]
        if kept and len(words) >= least:
            return words[: words.index(kept[-1]) + 1]
    raise AssertionError(f"of {WORDS_MAX} words none was saved while they were typed")


@pytest.mark.terminal
@pytest.mark.expectation(number=30)
@pytest.mark.expectation(number=46)
@pytest.mark.recorded(subject_of=starts("interviewer.cli.interview", questions=("ppo_clipping",)))
@pytest.mark.slow
def test_a_killed_app_keeps_what_was_typed(tmp_path: Path) -> None:
    chance = random.Random(6)
    for kill in range(KILLS):
        terminal = start(tmp_path)
        log = PracticeLog(tmp_path / "data" / "log.db")
        words = type_until_kept(terminal, log, 1000 * (kill + 1), chance)
        terminal.kill()
        log.close()

        log = PracticeLog(tmp_path / "data" / "log.db")
        text = kept_text(log)
        log.close()
        assert [word for word in words if word not in text] == [], f"kill {kill}"


def test_what_is_typed_waits_at_most_a_second_to_be_saved() -> None:
    assert DELAY_SECONDS <= 1.0
