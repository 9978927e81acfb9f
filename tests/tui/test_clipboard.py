"""Copying uses the desktop's tool, tmux or the terminal, whichever is available, and says which one it was."""

from __future__ import annotations

import base64
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from interviewer.interview.context import AppContext
from interviewer.tui.terminal import clipboard_commands, copy_with, terminal_sequence
from tests.terminal import Terminal
from tests.tui.conftest import NARROW, interview_of, open_app, shown_text, stage_of, wait_for
from tests.tui.test_kill import APP

F12 = "\x1b[24~"
SAID = "Interviewer: Why does clipping work?\n"


def put_tool(folder: Path, name: str, script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a program with this name first on the PATH."""
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(f"#!/bin/sh\n{script}\n")
    (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Collect what is written directly to the terminal instead of being drawn."""
    found: list[str] = []
    monkeypatch.setattr("textual.drivers.headless_driver.HeadlessDriver.write", lambda _, data: found.append(data))
    return iter([found])


def test_which_tools_are_asked_and_in_which_order() -> None:
    desk = {"WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0"}
    assert [command[0] for command in clipboard_commands(desk, "linux")] == ["wl-copy", "xclip", "xsel"]
    assert [command[0] for command in clipboard_commands({"DISPLAY": ":0", "TMUX": "x"}, "linux")] == [
        "xclip",
        "xsel",
        "tmux",
    ]
    assert [command[0] for command in clipboard_commands({}, "darwin")] == ["pbcopy"]
    assert clipboard_commands({}, "linux") == []
    for remote in ("SSH_TTY", "SSH_CONNECTION"):
        assert clipboard_commands({**desk, remote: "x"}, "darwin") == []
        assert [command[0] for command in clipboard_commands({**desk, remote: "x", "TMUX": "x"}, "darwin")] == ["tmux"]


def test_the_next_tool_is_asked_when_one_fails_or_hangs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put_tool(tmp_path / "bin", "wl-copy", "exec sleep 1000000", monkeypatch)
    put_tool(tmp_path / "bin", "xclip", "exit 1", monkeypatch)
    put_tool(tmp_path / "bin", "xsel", f"cat > {tmp_path / 'taken'}", monkeypatch)
    how = copy_with("π\n", clipboard_commands({"WAYLAND_DISPLAY": "w", "DISPLAY": ":0"}, "linux"))
    assert how == "Copied with xsel."
    assert (tmp_path / "taken").read_text() == "π\n"
    assert copy_with("x", [("no-such-tool",)]) == ""


@pytest.mark.expectation(number=65)
async def test_a_desktop_tool_gets_the_text_and_is_named(
    context: AppContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written: Iterator[list[str]]
) -> None:
    sent = next(written)
    # Like the real one, it keeps running and serves the text.
    put_tool(tmp_path / "bin", "xclip", f'cat > {tmp_path}/taken; echo "$@" > {tmp_path}/how; sleep 5 &', monkeypatch)
    monkeypatch.delenv("SSH_TTY")
    monkeypatch.setenv("DISPLAY", ":99")
    app = open_app(context, interview_of(context, questions=("clipping",)))
    async with app.run_test(size=NARROW, notifications=True) as pilot:
        await stage_of(pilot)
        await pilot.press("f12")
        await wait_for(pilot, lambda: "Copied with xclip." in shown_text(app), "how it was copied")
    assert (tmp_path / "taken").read_text() == app.clipboard == SAID
    assert (tmp_path / "how").read_text() == "-selection clipboard\n"
    assert "]52;" not in "".join(sent)


@pytest.mark.expectation(number=65)
async def test_over_ssh_the_terminal_gets_it(
    context: AppContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written: Iterator[list[str]]
) -> None:
    sent = next(written)
    put_tool(tmp_path / "bin", "xclip", f"cat > {tmp_path / 'taken'}", monkeypatch)
    monkeypatch.setenv("DISPLAY", "localhost:10.0")
    app = open_app(context, interview_of(context, questions=("clipping",)))
    async with app.run_test(size=NARROW, notifications=True) as pilot:
        await stage_of(pilot)
        await pilot.press("f12")
        await wait_for(pilot, lambda: "(OSC 52)" in shown_text(app), "how it was copied")
    assert not (tmp_path / "taken").exists()
    assert f"\x1b]52;c;{base64.b64encode(SAID.encode()).decode()}\a" in "".join(sent)


def test_within_an_old_tmux_the_sequence_is_wrapped_as_well() -> None:
    plain = terminal_sequence("x", {})
    assert plain == "\x1b]52;c;eA==\a"
    assert terminal_sequence("x", {"TMUX": "t"}) == plain + "\x1bPtmux;\x1b" + plain + "\x1b\\"


@pytest.mark.terminal
@pytest.mark.expectation(number=65)
@pytest.mark.slow
@pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")
def test_a_real_tmux_keeps_the_text_and_sends_it_on(tmp_path: Path) -> None:
    """With tmux's own defaults, which would drop an escape sequence from a program inside tmux."""
    socket = str(tmp_path / "tmux")
    tmux = [shutil.which("tmux") or "", "-S", socket, "-f", os.devnull]
    environment = {**os.environ, "INTERVIEWER_HOME": str(tmp_path / "home")}
    terminal = Terminal([*tmux, "new-session", *APP], environment)
    try:
        terminal.until("Your turn.")
        terminal.press(F12)
        terminal.until("\x1b]52;")
        terminal.until("Copied to the tmux buffer")
        kept = subprocess.run([*tmux, "show-buffer"], capture_output=True, text=True, check=True).stdout
        assert kept.startswith("Interviewer: Walk me through PPO")
        assert base64.b64encode(kept.encode()) in terminal.drawn
    finally:
        subprocess.run([*tmux, "kill-server"], check=False)
        terminal.ended()
