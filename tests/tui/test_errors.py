"""A failure on a screen has an id, and Errors shows its record; an app that fails says so without a traceback."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest

from interviewer.errors import BadInput, journal
from interviewer.interview import sessions
from interviewer.interview.context import AppContext
from tests.terminal import Terminal
from tests.tui.conftest import NARROW, WIDE, open_app, shown_text, wait_for

KEY = "sk-test-abcdefghijklmnop"
CRASHING = """
import sys
from interviewer.config import find_folders
from interviewer.tui.app import InterviewerApp
from interviewer.cli import launch

class Crashing(InterviewerApp):
    CSS_PATH = "{css}"
    BINDINGS = [("z", "crash", "Crash")]

    def action_crash(self):
        answer = "words of the candidate"
        key = "{key}"
        raise RuntimeError(f"no luck with {{key}}")

import interviewer.tui.app
interviewer.tui.app.InterviewerApp = Crashing
sys.exit(launch.open_at_home())
"""


@pytest.mark.slow
@pytest.mark.expectation(number=72)
@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_an_error_is_shown_with_its_id_and_found_by_it(
    context: AppContext, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError(f"no luck with {KEY}")

    monkeypatch.setattr(sessions, "new_interview", broken)
    app = open_app(context)
    async with app.run_test(size=size, notifications=True) as pilot:
        await pilot.press("m", "enter")
        await wait_for(pilot, lambda: "Internal error" in shown_text(app), "the toast")
        (fault,) = journal.records()
        shown = " ".join(shown_text(app).split())
        assert f"Error {fault.id}." in re.sub(r"\s*[│▌┃]\s*", " ", shown)
        assert KEY not in shown
        await pilot.press("x")
        await wait_for(pilot, lambda: bool(app.screen.query("#findings")), "the doctor")
        await pilot.press("e")
        await wait_for(pilot, lambda: bool(app.screen.query("#rows")), "the list")
        await pilot.pause()
        assert f"{fault.id}  {fault.when}" in shown_text(app)
        assert "RuntimeError: no luck with [key]" in shown_text(app)
        assert "⏎ Open" in shown_text(app)
        await pilot.press("enter")
        await wait_for(pilot, lambda: f"Error {fault.id}" in shown_text(app), "the error")
        assert "tests/tui/test_errors.py" in shown_text(app)
        assert "in broken" in shown_text(app)
        await pilot.press("c")
        assert app.clipboard == str(fault)
        await pilot.press("escape")
        await wait_for(pilot, lambda: bool(app.screen.query("#rows")), "the list again")
        await pilot.press("escape")
        await wait_for(pilot, lambda: bool(app.screen.query("#findings")), "the doctor again")


async def test_what_the_user_chose_wrongly_has_no_id_and_no_errors_are_said(
    context: AppContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise BadInput("nothing fits", "Ask for less.", "plan")

    monkeypatch.setattr(sessions, "new_interview", refused)
    app = open_app(context)
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        await pilot.press("m", "enter")
        await wait_for(pilot, lambda: "nothing fits" in shown_text(app), "the toast")
        assert "Error" not in shown_text(app)
        await pilot.press("x", "e")
        await wait_for(pilot, lambda: "No errors recorded." in shown_text(app), "the empty list")


@pytest.mark.terminal
@pytest.mark.expectation(number=47)
def test_an_app_that_ends_of_an_error_restores_the_terminal_and_says_an_id(tmp_path: Path) -> None:
    css = Path(sys.modules["interviewer"].__file__ or "").parent / "tui/app.tcss"
    script = tmp_path / "crashing.py"
    script.write_text(CRASHING.format(css=css, key=KEY))
    environment = {**os.environ, "OPENAI_API_KEY": KEY, "PYTHONPATH": os.getcwd()}
    terminal = Terminal([sys.executable, str(script)], environment)
    terminal.until("Mock interview")
    terminal.rest(0.5)
    terminal.press("z")
    assert terminal.ended() == 3
    screen, _, after = terminal.drawn.decode().rpartition("\x1b[?1049l")
    assert screen, "the alternate screen was left"
    (fault,) = journal.records()
    assert f"interviewer errors {fault.id} for the traceback." in " ".join(after.split())
    assert "RuntimeError: no luck with [key]" in after
    for text in (after, journal.path.read_text()):
        assert KEY not in text
        assert "candidate" not in text
    assert "Traceback" not in after
    assert any("in action_crash" in line for line in fault.trace)
