"""The terminal: signals restore it, NO_COLOR and TERM=dumb are respected, footers fit, scrolling up is not undone."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from textual.filter import Monochrome
from textual.widgets import Footer
from textual.widgets._footer import FooterKey

from interviewer.cli import launch as opening
from interviewer.errors import BadInput
from interviewer.interview.context import AppContext
from interviewer.interview.runner import Interview
from interviewer.interview.sessions import new_challenge
from interviewer.log.store import PracticeLog
from interviewer.session.move import MoveKind
from interviewer.tui.app import InterviewerApp
from interviewer.tui.screens.session import SessionScreen
from interviewer.tui.widgets.transcript import Transcript
from tests.terminal import Terminal
from tests.tui.conftest import NARROW, interview_of, open_app, shown_text, stage_of, wait_for
from tests.tui.test_kill import APP, start

LEAVE_SCREEN, SHOW_CURSOR = b"\x1b[?1049l", b"\x1b[?25h"


@pytest.mark.terminal
@pytest.mark.expectation(number=47)
@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_quits_in_order(tmp_path: Path, number: signal.Signals) -> None:
    terminal = start(tmp_path)
    terminal.press("kept")
    terminal.rest(0.2)
    os.kill(terminal.process, number)
    assert terminal.ended() == 0
    assert LEAVE_SCREEN in terminal.drawn
    assert SHOW_CURSOR in terminal.drawn
    log = PracticeLog(tmp_path / "data" / "log.db")
    assert log.draft(log.sessions()[0].id, "answer") == "kept"
    log.close()


@pytest.mark.terminal
@pytest.mark.expectation(number=47)
@pytest.mark.slow
def test_a_terminal_that_goes_away_below_a_leader_that_stays_ends_the_app(tmp_path: Path) -> None:
    # The shell behaves like make: it gets the hangup signal instead of the app, and waits for the app to end.
    environment = {**os.environ, "INTERVIEWER_HOME": str(tmp_path)}
    terminal = Terminal(("/bin/sh", "-c", 'trap : HUP; "$@"; exit 7', "sh", *APP), environment)
    terminal.until("Your answer")
    terminal.press("kept")
    terminal.rest(0.2)
    assert terminal.hang_up(10) == 7
    log = PracticeLog(tmp_path / "data" / "log.db")
    assert log.draft(log.sessions()[0].id, "answer") == "kept"
    log.close()


@pytest.mark.expectation(number=13)
async def test_no_color_means_no_colour(context: AppContext, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = open_app(context)
    async with app.run_test(size=NARROW) as pilot:
        await pilot.pause()
        assert any(isinstance(line_filter, Monochrome) for line_filter in app.get_line_filters())
        assert "Mock interview" in shown_text(app)


@pytest.mark.expectation(number=13)
def test_a_terminal_that_cannot_draw_is_refused_with_a_sentence(
    context: AppContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    with pytest.raises(BadInput) as told:
        opening.open_app(context, None)
    assert "--plain" in told.value.fix


def started(context: AppContext, where: str) -> Interview | None:
    if where == "challenge":
        return new_challenge(context, ["gae"], 20)
    if where == "task":
        return interview_of(context, tasks=("gae",))
    return interview_of(context, questions=("clipping",)) if where == "question" else None


@pytest.mark.expectation(number=16)
@pytest.mark.parametrize("where", ["question", "task", "challenge", "home and its screens"])
async def test_the_footer_fits_into_80_columns(context: AppContext, where: str) -> None:
    app = open_app(context, started(context, where))
    async with app.run_test(size=NARROW) as pilot:
        if where in {"question", "task", "challenge"}:
            await wait_for(pilot, lambda: isinstance(app.screen, SessionScreen), "the session")
            await pilot.pause(0.3)
            assert_footer_fits(app, where)
            return
        for key in ("b", "d", "l", "s", "x"):
            await pilot.pause()
            assert_footer_fits(app, "home")
            await pilot.press(key)
            await pilot.pause()
            assert_footer_fits(app, key)
            await pilot.press("escape")


def assert_footer_fits(app: InterviewerApp, where: str) -> None:
    keys = app.screen.query_one(Footer).query(FooterKey)
    assert 0 < len(keys) <= 8, where
    assert sum(key.outer_size.width for key in keys) <= 80, where
    assert all(key.region.right <= 80 for key in keys), where


@pytest.mark.expectation(number=28)
async def test_scrolling_up_stops_the_following_and_the_end_resumes_it(context: AppContext) -> None:
    app = open_app(context, interview_of(context, questions=("clipping",)))
    async with app.run_test(size=NARROW) as pilot:
        transcript = (await stage_of(pilot)).query_one(Transcript)
        await transcript.begin(MoveKind.PROBE)

        async def more_words() -> None:
            end = transcript.max_scroll_y
            transcript.write("word\n\n" * 8)
            await wait_for(pilot, lambda: transcript.max_scroll_y > end, "more words")

        for _ in range(4):
            await more_words()
        await wait_for(pilot, lambda: transcript.scroll_y == transcript.max_scroll_y, "the end")
        await pilot.press("pageup")
        await pilot.pause(0.2)
        at = transcript.scroll_y
        await more_words()
        assert transcript.scroll_y == at < transcript.max_scroll_y
        await pilot.press(*["pagedown"] * 4)
        await more_words()
        await wait_for(pilot, lambda: transcript.scroll_y == transcript.max_scroll_y, "the end again")


@pytest.mark.expectation(number=48)
async def test_resizing_from_large_to_small_and_back_keeps_everything(context: AppContext) -> None:
    app = open_app(context, interview_of(context, tasks=("gae",)))
    async with app.run_test(size=(200, 60)) as pilot:
        await stage_of(pilot)
        await pilot.press("f3", *"kept")
        focused = app.focused
        for size in ((60, 20), (59, 14), (200, 60)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
        assert app.focused is focused
        await pilot.press("!")
        assert "kept!" in shown_text(app)
