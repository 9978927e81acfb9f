"""Home, lists, log, debrief and help: what they say if something is missing, and what they save."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from textual.pilot import Pilot

from interviewer.errors import journal
from interviewer.interview.context import AppContext
from interviewer.interview.sessions import resume_interview
from interviewer.tui import app as module
from interviewer.tui.app import InterviewerApp
from interviewer.tui.external_editor import ExternalEditorError, open_external_editor
from interviewer.tui.screens.debrief import DebriefScreen
from interviewer.tui.screens.dialogs import ChoiceScreen, HelpScreen
from interviewer.tui.screens.home import HomeScreen
from interviewer.tui.screens.interview import InterviewScreen
from interviewer.tui.screens.log import LogScreen
from interviewer.tui.widgets.answer_box import AnswerBox
from tests.fakes import RecordingFrontend
from tests.tui.conftest import NARROW, WIDE, interview_of, open_app, settled, shown_text, stage_of, wait_for


async def test_a_log_that_cannot_be_opened_is_told_at_home(context: AppContext) -> None:
    context.folders.data.parent.mkdir(parents=True, exist_ok=True)
    context.folders.data.write_text("a file where a folder should be")
    app = open_app(context)
    async with app.run_test(size=NARROW, notifications=True) as pilot:
        await wait_for(pilot, lambda: "Could not open" in shown_text(app), "the error")
        assert isinstance(app.screen, HomeScreen)
        assert "Mock interview" in shown_text(app)


@pytest.mark.slow
async def test_home_says_what_a_warm_cell_costs(context: AppContext) -> None:
    app = open_app(context)
    async with app.run_test(size=NARROW) as pilot:
        await wait_for(pilot, lambda: "1 warm cell (150 MiB)" in shown_text(app), "the warm cell")


@pytest.mark.expectation(number=4)
async def test_continue_without_a_session_and_an_empty_log(context: AppContext) -> None:
    app = open_app(context)
    async with app.run_test(size=NARROW, notifications=True) as pilot:
        await pilot.press("r")
        await wait_for(pilot, lambda: "no unfinished session" in shown_text(app), "the remark")
        await pilot.press("l")
        await wait_for(pilot, lambda: "No sessions yet" in shown_text(app), "the empty log")
        await pilot.press("escape", "question_mark")
        await wait_for(pilot, lambda: isinstance(app.screen, HelpScreen), "the keys")
        assert "Drill a topic" in shown_text(app)


async def test_a_dialog_shows_its_keys_and_stays_open(context: AppContext) -> None:
    app = open_app(context)
    async with app.run_test(size=WIDE) as pilot:
        await pilot.press("m")
        await wait_for(pilot, lambda: isinstance(app.screen, ChoiceScreen), "the dialog")
        await pilot.press("f1")
        await wait_for(pilot, lambda: isinstance(app.screen, HelpScreen), "its keys")
        assert "Choose this answer" in shown_text(app)
        await pilot.press("escape")
        await wait_for(pilot, lambda: isinstance(app.screen, ChoiceScreen), "the dialog again")


async def test_the_log_continues_an_open_session(context: AppContext) -> None:
    interview = interview_of(context, questions=("clipping",))
    app = open_app(context)
    async with app.run_test(size=WIDE) as pilot:
        await pilot.press("l")
        await wait_for(pilot, lambda: isinstance(app.screen, LogScreen), "the log")
        await pilot.pause()
        assert "open" in shown_text(app)
        await pilot.press("enter")
        screen = await stage_of(pilot)
        assert screen.interview.session.id == interview.session.id


# Claims a session like a second app, and keeps it until its standard input is closed.
OTHER_WINDOW = """
import sys
from pathlib import Path
from interviewer.log.store import PracticeLog, SessionOpen
log = PracticeLog(Path(sys.argv[1]))
try:
    log.claim(sys.argv[2])
except SessionOpen:
    print("refused", flush=True)
else:
    print("open", flush=True)
    sys.stdin.read()
"""


async def test_a_session_that_is_open_in_another_window_is_not_opened(context: AppContext) -> None:
    interview = interview_of(context, questions=("clipping",))
    interview.release()
    count = len(context.log.events(interview.session.id))
    command = [sys.executable, "-c", OTHER_WINDOW, str(context.log.path), interview.session.id]

    def open_window() -> subprocess.Popen[str]:
        return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    app = open_app(context)
    async with app.run_test(size=NARROW, notifications=True) as pilot:
        with open_window() as other:
            assert other.stdout
            assert other.stdout.readline() == "open\n"
            await pilot.press("r")
            await wait_for(pilot, lambda: "This interview is open in" in shown_text(app), "the refusal")
            assert isinstance(app.screen, HomeScreen)
            assert "Error E" not in shown_text(app)
            assert journal.records() == []
            assert len(context.log.events(interview.session.id)) == count
            # The operating system releases a claim even if the window that holds it crashed.
            other.kill()
        await pilot.press("r")
        screen = await stage_of(pilot)
        assert open_window().communicate(timeout=60)[0] == "refused\n"
        await pilot.press("escape", "2")
        await wait_for(pilot, lambda: isinstance(app.screen, HomeScreen) and not screen.is_attached, "home")
        assert open_window().communicate(timeout=60)[0] == "open\n"


async def test_a_session_another_app_took_over_is_told(context: AppContext) -> None:
    interview = interview_of(context, questions=("clipping",))
    app = open_app(context, interview)
    async with app.run_test(size=NARROW, notifications=True) as pilot:
        screen = await stage_of(pilot)
        resume_interview(context, interview.session.id)
        await pilot.press(*"mine", "enter")
        await wait_for(pilot, lambda: "--resume" in shown_text(app), "the remark")
        assert "Error E" not in shown_text(app)
        assert journal.records() == []
        assert screen.query_one(AnswerBox).text == "mine"


async def test_the_debrief_is_saved_where_the_app_was_started(
    context: AppContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    app = open_app(context, interview_of(context, questions=("clipping",)))
    async with app.run_test(size=NARROW) as pilot:
        session = await finished(pilot)
        await pilot.press("w", "c")
        await pilot.pause()
        saved = tmp_path / f"interviewer-{session}.md"
        assert saved.read_text().startswith("# Debrief")
        assert app.clipboard.startswith("# Debrief")
        saved.write_text("with my own notes")
        await pilot.press("w")
        await pilot.pause()
        assert saved.read_text() == "with my own notes"
        assert (tmp_path / f"interviewer-{session}-2.md").read_text().startswith("# Debrief")


async def test_no_key_leaves_the_app_in_a_copied_or_saved_debrief(
    context: AppContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    interview, front = interview_of(context, questions=("clipping",)), RecordingFrontend()
    interview.run_until_input(front)
    interview.answer("It is about word1, and hf_abcDEF123456 is my key.")
    interview.run_until_input(front)
    app = open_app(context, interview)
    async with app.run_test(size=NARROW) as pilot:
        session = await finished(pilot)
        await pilot.press("w", "c")
        await pilot.pause()
        for text in ((tmp_path / f"interviewer-{session}.md").read_text(), app.clipboard):
            assert "word1" in text
            assert "abcDEF123456" not in text


async def finished(pilot: Pilot[None]) -> str:
    """End the interview on screen, open its debrief and return the session's id."""
    screen = await stage_of(pilot)
    await pilot.press("escape", "3")
    await wait_for(pilot, lambda: screen.interview.session.is_over, "the end")
    await settled(pilot, screen)
    await pilot.press("enter")
    await wait_for(pilot, lambda: isinstance(pilot.app.screen, DebriefScreen), "the debrief")
    return screen.interview.session.id


@pytest.mark.expectation(number=18)
async def test_the_palette_knows_the_actions_of_the_screen(context: AppContext) -> None:
    app = open_app(context, interview_of(context, questions=("clipping",)))
    async with app.run_test(size=NARROW) as pilot:
        screen = await stage_of(pilot)
        titles = [command.title for command in app.get_system_commands(screen)]
        assert {"Hint", "Skip", "End the interview", "Quit"} <= set(titles)
        assert "Submit" not in titles


async def test_both_themes_draw_the_interview(context: AppContext) -> None:
    app = open_app(context, interview_of(context, questions=("clipping",), tasks=("gae",)))
    async with app.run_test(size=NARROW) as pilot:
        screen = await stage_of(pilot)
        dark = screen.styles.background
        app.theme = "interviewer-light"
        await pilot.pause()
        assert screen.styles.background.brightness > 0.8 > dark.brightness


@pytest.mark.expectation(number=24)
async def test_the_editor_round_trip_brings_the_text_back(context: AppContext, monkeypatch: pytest.MonkeyPatch) -> None:
    app = open_app(context)
    monkeypatch.setattr(app, "suspend", _Suspended)
    script = "import pathlib,sys; path = pathlib.Path(sys.argv[1]); path.write_text(path.read_text() + 'more')"
    environ = {"EDITOR": f'{sys.executable} -c "{script}"'}
    assert open_external_editor(app, "text ", ".md", environ) == "text more"
    with pytest.raises(ExternalEditorError, match="no-such-editor"):
        open_external_editor(app, "text", ".md", {"VISUAL": "no-such-editor"})


@pytest.mark.expectation(number=24)
async def test_a_terminal_that_cannot_suspend_keeps_the_text(context: AppContext) -> None:
    app = open_app(context, interview_of(context, questions=("clipping",)))
    async with app.run_test(size=NARROW, notifications=True) as pilot:
        screen = await stage_of(pilot)
        assert isinstance(screen, InterviewScreen)
        await pilot.press(*"kept", "ctrl+o")
        await wait_for(pilot, lambda: "Edit here instead." in shown_text(app), "the remark")
        assert screen.query_one(AnswerBox).text == "kept"


class _Suspended:
    """Replaces a terminal that is handed over to another program."""

    def __enter__(self) -> None: ...

    def __exit__(self, *error: object) -> None: ...


def test_the_app_is_small_at_first_paint(context: AppContext) -> None:

    code = (
        "import asyncio, sys\n"
        "from interviewer.config import Settings, find_folders\n"
        "from interviewer.interview.context import AppContext\n"
        "from interviewer.tui.app import InterviewerApp\n"
        "class Quiet(AppContext):\n"
        "    def warm_up(self): pass\n"
        "async def main():\n"
        "    app = InterviewerApp(Quiet(Settings(), find_folders(), environ={}))\n"
        "    async with app.run_test(size=(80, 24)) as pilot:\n"
        "        await pilot.pause()\n"
        "        heavy = {'litellm', 'torch', 'docker', 'pydantic', 'numpy'} & set(sys.modules)\n"
        "        assert not heavy, heavy\n"
        "asyncio.run(main())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr


def test_run_app_takes_a_kit_and_an_interview(context: AppContext, monkeypatch: pytest.MonkeyPatch) -> None:

    seen: list[InterviewerApp] = []

    def keep(app: InterviewerApp) -> None:
        seen.append(app)

    monkeypatch.setattr(InterviewerApp, "run", keep)
    module.run_app(context, interview_of(context, questions=("clipping",)), lambda: ())
    assert seen[0].context is context
