"""In a terminal, `interviewer observe` opens the screen; with --plain or a pipe, it prints lines."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.interview.test_two_processes import QUESTION, candidate_arguments, invited, running
from tests.terminal import Terminal

pytestmark = pytest.mark.terminal


@pytest.mark.timeout(90)
def test_a_terminal_gets_the_screen_and_the_lines_on_request(tmp_path: Path) -> None:
    with running(tmp_path, *candidate_arguments("--question", QUESTION)) as candidate:
        _, token = invited(candidate)
        words = [sys.executable, "-m", "interviewer", "observe", "--token", token, "--name", "ada"]
        environment = {**os.environ, "INTERVIEWER_HOME": str(tmp_path)}
        screen = Terminal(words, environment)
        screen.until("watching as ada")
        candidate.until("note: watched by ada")
        screen.quit("\x11")
        candidate.until("note: no observers now")
        lines = Terminal([*words, "--plain"], environment)
        lines.until("Watching session")
        candidate.until("note: watched by ada", 2)
        lines.kill()
        refused = Terminal([*words[:4], "--token", "0000-0000-0000-0000"], environment)
        refused.until("no session has this token")
        assert refused.ended() == 2
