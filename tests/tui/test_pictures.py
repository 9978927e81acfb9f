"""Snapshots of each screen at 80 x 24: dark, light, NO_COLOR and ASCII, compared with those in tests/tui/pictures.

After an intended change, draw them again with UPDATE_PICTURES=1 pytest tests/tui/test_pictures.py, and read the diff.
"""

from __future__ import annotations

import os
import re
import time
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from string import ascii_letters
from types import SimpleNamespace
from typing import Any

import pytest
from rich.style import Style
from textual.app import App
from textual.filter import LineFilter, Monochrome
from textual.pilot import Pilot
from textual.scrollbar import ScrollBarRender
from textual.widgets import Input, TextArea

from graders.verdict import Verdict
from interviewer.chat.local_servers import ServedModel
from interviewer.cli.doctor import Check
from interviewer.config import Folders
from interviewer.errors import ErrorRecord
from interviewer.interview.challenge import Challenge
from interviewer.interview.context import AppContext
from interviewer.interview.model_setup import Candidate, FoundModels, SearchedServer
from interviewer.interview.observer_client import join
from interviewer.interview.runner import Interview
from interviewer.interview.teaching import Teacher
from interviewer.session.results import open_lessons
from interviewer.tui.ascii_filter import AsciiFilter
from interviewer.tui.messages import NoticePosted
from interviewer.tui.observer_app import ObserverApp
from interviewer.tui.screens import errors, setup
from interviewer.tui.screens.browse import BrowseScreen
from interviewer.tui.screens.debrief import DebriefScreen
from interviewer.tui.screens.dialogs import PromptScreen
from interviewer.tui.screens.doctor import DoctorScreen
from interviewer.tui.screens.log import LogScreen
from interviewer.tui.screens.reading import ReadingScreen, SideBySideScreen
from interviewer.tui.screens.settings import SettingsScreen
from interviewer.tui.screens.teach import TeachScreen
from interviewer.tui.widgets.code_editor import CodeEditor
from tests.fakes import RecordingFrontend
from tests.interview.test_summaries import logged
from tests.tui.conftest import (
    NARROW,
    STARTER,
    PreparedClient,
    interview_of,
    open_app,
    report,
    shown_text,
    stage_of,
    wait_for,
)
from tests.tui.test_challenge import challenge_of, on_stage, press

pytestmark = pytest.mark.slow

FOLDER = Path(__file__).parent / "pictures"
IS_UPDATE = bool(os.environ.get("UPDATE_PICTURES"))
# The theme, the filter applied to the drawn lines, and whether colors are part of the picture.
LOOKS: dict[str, tuple[str, type[LineFilter] | None, bool]] = {
    "dark": ("interviewer-dark", None, True),
    "light": ("interviewer-light", None, True),
    "no color": ("interviewer-dark", Monochrome, True),
    "ascii": ("interviewer-dark", AsciiFilter, False),
}
# What differs from run to run has the same width each time.
CHANGING = {
    r"\d{8}-\d{6}-[0-9a-f]{6}": "20260101-000000-abcdef",
    r"at \d:\d\d": "at 0:00",
    r"\d\d:\d\d left": "20:34 left",
}
SECONDS_LEFT = 1234.0


@pytest.fixture(autouse=True)
def stopped_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    for session in (Interview, Challenge):
        monkeypatch.setattr(session, "seconds_left", property(lambda _: SECONDS_LEFT))


@pytest.fixture(autouse=True)
def plain_scroll_bars(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw scroll bars like an app in ASCII mode, which changes them for all apps in its process."""
    for bars in ("VERTICAL_BARS", "HORIZONTAL_BARS"):
        monkeypatch.setattr(ScrollBarRender, bars, [" "] * 8)


def picture(app: App[Any], has_colors: bool) -> str:
    """Return the text on screen and, for each row, the lengths of its styles, with a legend."""
    strips = app.screen._compositor.render_strips()
    rows = [strip.text for strip in strips]
    for changing, same in CHANGING.items():
        rows = [re.sub(changing, same, row) for row in rows]
    lines = [f"|{row}|" for row in rows]
    letters: dict[str, str] = {}
    for strip in strips if has_colors else ():
        cells = [style_text(segment.style) for segment in strip for _ in range(segment.cell_length)]
        runs = [
            (letters.setdefault(style, ascii_letters[len(letters)]), len([*same])) for style, same in groupby(cells)
        ]
        lines.append(" ".join(f"{letter}{length}" for letter, length in runs))
    return "\n".join([*lines, *(f"{letter}: {style}" for style, letter in letters.items())])


def style_text(style: Style | None) -> str:
    """Return the colors and the attributes of a style."""
    style = style or Style()
    marks = [name for name in ("bold", "dim", "italic", "underline", "reverse", "strike") if getattr(style, name)]
    inks = [colour.get_truecolor().hex if colour else "default" for colour in (style.color, style.bgcolor)]
    return " ".join([f"{inks[0]} on {inks[1]}", *marks])


async def compare(pilot: Pilot[None], name: str) -> None:
    """Draw the screen in all variants, and compare it with its snapshot."""
    app, drawn = pilot.app, []
    filters = [*app._filters]
    for look, (theme, drawn_over, has_colors) in LOOKS.items():
        app._filters[:] = [*filters, *([drawn_over()] if drawn_over else [])]
        app.theme = theme
        for screen in app.screen_stack:
            for widget in (screen, *screen.query("*")):
                if isinstance(widget, Input | TextArea):
                    widget.cursor_blink = False
                widget._styles_cache.clear()
                widget.refresh()
        for _ in range(3):
            await pilot.pause()
        drawn.append(f"== {look}\n{picture(app, has_colors)}\n")
        if look == "ascii":
            assert shown_text(app).isascii()
    app._filters[:] = filters
    app.theme = "interviewer-dark"
    file, now = FOLDER / f"{name}.txt", "\n".join(drawn)
    if IS_UPDATE:
        FOLDER.mkdir(exist_ok=True)
        file.write_text(now, encoding="utf-8")
    assert now == file.read_text(encoding="utf-8"), (
        f"{name} looks different; to draw it again, see the top of this file"
    )


async def test_home_and_what_it_opens(context: AppContext) -> None:
    app = open_app(context)
    async with app.run_test(size=NARROW) as pilot:
        await wait_for(pilot, lambda: "All checks passed." in shown_text(app), "the checks")
        await compare(pilot, "home")
        await pilot.press("m")
        await wait_for(pilot, lambda: "cannot be paused" in shown_text(app), "the dialog")
        await compare(pilot, "dialog")
        await pilot.press("escape", "f1")
        await wait_for(pilot, lambda: "Keys on this screen" in shown_text(app), "the keys")
        await compare(pilot, "keys")
        await pilot.press("escape", "b")
        await wait_for(pilot, lambda: isinstance(app.screen, BrowseScreen), "the list")
        await wait_for(pilot, lambda: "not practiced" in shown_text(app), "the practice")
        await compare(pilot, "browse")


async def test_the_topics_to_drill(context: AppContext) -> None:
    context.questions = tuple(
        replace(question, topics=topics)
        for question, topics in zip(context.questions, (("PPO", "entropy"), ("PPO",)), strict=True)
    )
    app = open_app(context)
    async with app.run_test(size=NARROW) as pilot:
        await pilot.press("d")
        await wait_for(pilot, lambda: "Drill a topic" in shown_text(app) and "PPO" in shown_text(app), "the topics")
        await compare(pilot, "drill")


async def test_the_errors_and_one_of_them(context: AppContext, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    trace = ("  interviewer/log/store.py:120 in append", "OSError: [Errno 28] No space left on device")
    records = [
        ErrorRecord("E7F3A", 1_767_300_000.0, "0.1.0", "OSError", "No space left on device, scale[0, 0] <b>", trace),
        ErrorRecord("E0001", 1_767_200_000.0, "0.1.0", "ChatError", "the server did not answer", trace[:1]),
    ]
    kept = SimpleNamespace(path="/home/ada/errors.jsonl", records=lambda: records)
    monkeypatch.setattr(errors, "journal", kept)
    app = open_app(context)
    async with app.run_test(size=NARROW) as pilot:
        app.push_screen(errors.error_list_screen())
        await wait_for(pilot, lambda: "E0001" in shown_text(app), "the list")
        await compare(pilot, "errors")
        app.push_screen(errors.error_screen("E7F3A"))
        await wait_for(pilot, lambda: "Error E7F3A" in shown_text(app), "the error")
        await compare(pilot, "error")


async def test_settings(context: AppContext, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for variable in ("INTERVIEWER_HOME", "INTERVIEWER_KEEP_GRADER"):
        monkeypatch.delenv(variable, raising=False)
    # The length of the real path decides how many settings fit on the screen.
    monkeypatch.setattr(Folders, "config_file", Path("~/.config/interviewer/config.toml"))
    app = open_app(context)
    async with app.run_test(size=NARROW) as pilot:
        app.push_screen(SettingsScreen(context))
        await wait_for(pilot, lambda: "Settings" in shown_text(app), "the list")
        await compare(pilot, "settings")
        await pilot.press("enter")
        await wait_for(pilot, lambda: isinstance(app.screen, PromptScreen), "the text dialog")
        await pilot.press(*"openai/gpt-5")
        await compare(pilot, "text_dialog")


async def test_what_the_doctor_found(context: AppContext) -> None:
    found = (
        Check("python", True, "3.11.7"),
        Check("docker", False, "no engine answers at /var/run/docker.sock", "Start Docker, then press g."),
    )
    app = open_app(context)
    async with app.run_test(size=NARROW) as pilot:
        app.push_screen(DoctorScreen(lambda: found, found))
        await wait_for(pilot, lambda: "no engine answers" in shown_text(app), "the findings")
        await compare(pilot, "doctor")


async def test_the_log_of_one_session(context: AppContext, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    logged(context.log, "offline")
    app = open_app(context)
    async with app.run_test(size=NARROW) as pilot:
        app.push_screen(LogScreen(context))
        await wait_for(pilot, lambda: "Log" in shown_text(app), "the log")
        for _ in range(10):
            await pilot.pause(0.05)
        await compare(pilot, "log")


async def test_a_page_to_read_and_two_programs_side_by_side(context: AppContext) -> None:
    app = open_app(context)
    async with app.run_test(size=NARROW) as pilot:
        app.push_screen(ReadingScreen("A page", "# A heading\n\nSome text with `code`.\n\n- one\n- two\n"))
        await wait_for(pilot, lambda: "A heading" in shown_text(app), "the page")
        await compare(pilot, "reading")
        app.push_screen(SideBySideScreen("Two programs", "x = 1\n", "x = 2\n"))
        await wait_for(pilot, lambda: "Two programs" in shown_text(app), "the programs")
        await compare(pilot, "side_by_side")


async def test_an_interview_and_its_debrief(context: AppContext) -> None:
    app = open_app(context, interview_of(context, questions=("clipping",)))
    async with app.run_test(size=NARROW) as pilot:
        screen = await stage_of(pilot)
        await pilot.press(*"word1 matters", "enter")
        await stage_of(pilot)
        await pilot.press(*"and so on")
        await compare(pilot, "question")
        await pilot.press("ctrl+u", "f9")
        await wait_for(pilot, lambda: bool(screen.query("#marks")), "the marks")
        await stage_of(pilot)
        await compare(pilot, "marks")
        await pilot.press("ctrl+s")
        await wait_for(pilot, lambda: screen.interview.session.is_over, "the end")
        await stage_of(pilot)
        await pilot.press("enter")
        await wait_for(pilot, lambda: isinstance(app.screen, DebriefScreen), "the debrief")
        await wait_for(pilot, lambda: "Judged by" in shown_text(app), "its text")
        await compare(pilot, "debrief")


async def test_a_missed_point_asked_again(context: AppContext) -> None:
    session = logged(context.log, "offline")
    app = open_app(context)
    async with app.run_test(size=NARROW) as pilot:
        app.push_screen(TeachScreen(session, Teacher(context), open_lessons(session)[0], is_trying=True))
        await wait_for(pilot, lambda: "Asked at rung 3" in shown_text(app), "the question")
        await pilot.press(*"It is about word3, because a sample pays nothing more.", "enter")
        await wait_for(pilot, lambda: "Not scored." in shown_text(app), "the result")
        await compare(pilot, "teach")


async def test_a_task_with_its_code_and_its_verdict(context: AppContext, client: PreparedClient) -> None:
    client.reports = [report(Verdict.WRONG_VALUE, mistake=True)]
    app = open_app(context, interview_of(context, tasks=("gae",)))
    async with app.run_test(size=NARROW) as pilot:
        await stage_of(pilot)
        await pilot.press("f3", *"# x", "enter", "ctrl+f", *"re")
        await compare(pilot, "code")
        await pilot.press("escape", "ctrl+s")
        await stage_of(pilot)
        await compare(pilot, "verdict")


async def test_a_passed_task_with_its_code_above_the_question(context: AppContext, client: PreparedClient) -> None:
    client.reports = [report(Verdict.PASSED)]
    app = open_app(context, interview_of(context, tasks=("gae",)))
    async with app.run_test(size=NARROW, notifications=True) as pilot:
        screen = await stage_of(pilot)
        await pilot.press("f3", *"# x", "enter", "ctrl+s")
        await stage_of(pilot)
        await compare(pilot, "passed")
        await pilot.press("enter")
        screen.post_message(NoticePosted("m: no server answers. Start it."))
        await wait_for(pilot, lambda: "Nothing to send" in shown_text(app) and "Start it" in shown_text(app), "notices")
        await compare(pilot, "notices")


async def test_a_challenge_at_work_and_its_results(context: AppContext, client: PreparedClient) -> None:
    client.reports = [report(Verdict.WRONG_VALUE, mistake=True)]
    app = open_app(context, challenge_of(context))
    async with app.run_test(size=NARROW) as pilot:
        screen = await on_stage(pilot)
        await compare(pilot, "challenge_statement")
        await press(pilot, screen, "f3", *"# x", "enter")
        await compare(pilot, "challenge_code")
        await press(pilot, screen, "f5")
        await compare(pilot, "challenge_paused")
        await press(pilot, screen, "f5")
        screen.query_one(CodeEditor).load_text(STARTER)
        await press(pilot, screen, "f3", "ctrl+s", "f6")
        await compare(pilot, "results")


async def test_an_observers_screen(context: AppContext) -> None:
    interview = interview_of(context, questions=("clipping",))
    interview.go_live()
    assert interview.live
    interview.run_until_input(RecordingFrontend())
    app = ObserverApp(context, join(context.log, None, interview.live.token, "ada"))
    async with app.run_test(size=NARROW) as pilot:
        await wait_for(pilot, lambda: "The candidate is answering" in shown_text(app), "the session")
        await pilot.press("f6")
        await wait_for(pilot, lambda: "Point 1 of clipping." in shown_text(app), "the rubric")
        await compare(pilot, "observer")


async def test_the_setup_of_a_model(context: AppContext, monkeypatch: pytest.MonkeyPatch) -> None:
    servers = (
        SearchedServer("ollama", "http://localhost:11434", (ServedModel("qwen3:8b"),)),
        SearchedServer("LM Studio", "http://localhost:1234/v1", problem="Connection refused", is_silent=True),
    )
    models = (
        Candidate("openai/gpt-5.4-mini", "OPENAI_API_KEY", "OPENAI_API_KEY", 272_000, False, 7.5e-7, 4.5e-6),
        Candidate("ollama_chat/qwen3:8b", "ollama", "", 40_960, True, is_free=True),
    )
    found = FoundModels(("OPENAI_API_KEY",), servers, models, models)
    monkeypatch.setattr(setup, "find_models", lambda environ: found)
    app = open_app(context)
    async with app.run_test(size=NARROW) as pilot:
        await pilot.press("y")
        await wait_for(pilot, lambda: "Enter a model's name" in shown_text(app), "the models")
        await compare(pilot, "setup")
