"""A start says at once why the app is not there yet, but only on a terminal, and leaves no trace of that message."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from interviewer.cli import starting
from tests.terminal import Terminal

# Makes importing Textual slow, as on a slow machine, until the file exists.
SLOW = """
import importlib.abc, pathlib, sys, time
go = pathlib.Path(sys.argv.pop(1))
class Slow(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == "textual" and not go.exists():
            print("importing", end="", file=sys.stderr, flush=True)
            while not go.exists():
                time.sleep(0.01)
sys.meta_path.insert(0, Slow())
from interviewer.cli.main import main
main()
"""


@pytest.mark.terminal
def test_a_slow_start_says_why_before_the_import_and_leaves_nothing(tmp_path: Path) -> None:
    environment = {**os.environ, "INTERVIEWER_HOME": str(tmp_path), "NO_COLOR": "1"}
    go = tmp_path / "go"
    terminal = Terminal((sys.executable, "-c", SLOW, str(go)), environment)
    terminal.until(starting.STARTING)
    assert b"importing" not in terminal.drawn.partition(starting.STARTING.encode())[0]
    terminal.until("importing")
    go.touch()
    terminal.until("Mock interview")
    terminal.quit("\x11")
    left = terminal.drawn.rpartition(b"\x1b[?1049l")[2]
    assert b"\x1b[K" in left, "the line is erased after the app has left the alternate screen"
    assert b"Starting" not in left


@pytest.mark.terminal
def test_an_error_replaces_the_line(tmp_path: Path) -> None:
    environment = {**os.environ, "INTERVIEWER_HOME": str(tmp_path)}
    words = (sys.executable, "-m", "interviewer", "interview", "--question", "nope")
    terminal = Terminal(words, environment)
    assert terminal.ended() == 2
    before, _, after = terminal.drawn.partition(b"\x1b[K")
    assert before.endswith(f"{starting.STARTING}\r".encode())
    assert b"interviewer: unknown question nope" in after
    assert b"Starting" not in after


@pytest.mark.parametrize("words", [["interview"], [], ["--help"]])
def test_without_a_terminal_nothing_is_said(words: list[str], tmp_path: Path) -> None:
    environment = {**os.environ, "INTERVIEWER_HOME": str(tmp_path)}
    command = [sys.executable, "-m", "interviewer", *words]
    done = subprocess.run(command, env=environment, capture_output=True, stdin=subprocess.DEVNULL, check=False)
    assert b"Starting" not in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("words", "is_slow"),
    [
        ("", True),
        ("interview --question ppo_clipping", True),
        ("challenge gae", True),
        ("interview --plain", True),
        ("doctor", True),
        ("doctor --help", False),
        ("challenge --help", False),
        ("grade gae gae.py", False),
        ("--version", False),
    ],
)
def test_only_what_starts_slowly_says_that_it_starts(words: str, is_slow: bool) -> None:
    assert starting.starts_slowly(words.split()) is is_slow


def test_the_line_needs_no_import_of_its_own() -> None:
    script = "import sys; before = set(sys.modules); import interviewer.cli.starting; print(*set(sys.modules) - before)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) <= {"interviewer", "interviewer.cli", "interviewer.cli.starting", "__future__"}
