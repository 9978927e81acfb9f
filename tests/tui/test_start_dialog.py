"""The start dialog changes the role, level and share of coding of the interview; the settings contain the defaults."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial

from textual.widgets import OptionList

from interviewer.interview.context import AppContext
from interviewer.tui.app import InterviewerApp
from interviewer.tui.screens import settings
from interviewer.tui.screens.dialogs import ChoiceScreen
from tests.tui.conftest import NARROW, interview_of, open_app, shown_text, stage_of, wait_for


def says(app: InterviewerApp, label: str, value: str) -> bool:
    """Return whether the dialog shows this value for a preference."""
    return finds(app, rf"{label} +{value} · change")


def finds(app: InterviewerApp, pattern: str) -> bool:
    """Return whether the screen contains text that matches the pattern."""
    return re.search(pattern, shown_text(app)) is not None


async def test_role_level_and_coding_are_chosen_before_the_start(context: AppContext) -> None:
    context.use(replace(context.settings, level="senior"))
    app = open_app(context)
    async with app.run_test(size=NARROW) as pilot:
        await pilot.press("m")
        await wait_for(pilot, lambda: says(app, "Coding", "auto"), "the dialog")
        assert says(app, "Level", "senior")
        await pilot.press("6")
        await wait_for(pilot, lambda: "Share of coding tasks in a mock interview." in shown_text(app), "the shares")
        await pilot.press("2")
        await wait_for(pilot, lambda: says(app, "Coding", "none"), "the dialog again")
        await pilot.press("5", "escape")
        await wait_for(pilot, lambda: says(app, "Level", "senior"), "nothing changed")
        await pilot.press("2")
        screen = await stage_of(pilot)
        plan = screen.interview.session.plan
        assert plan.minutes == 45.0
        assert {part.kind for part in plan.parts} == {"question"}
    assert context.settings.coding == "auto", "the dialog changes one start, not the settings"


async def test_the_dialog_says_which_lengths_include_a_coding_task(context: AppContext) -> None:
    app = open_app(context)
    async with app.run_test(size=NARROW) as pilot:
        await pilot.press("m")
        await wait_for(pilot, lambda: says(app, "Coding", "auto"), "the dialog")
        assert finds(app, "20 minutes +no coding task unless you change Coding")
        assert finds(app, "45 minutes +questions and a coding task")
        for share, text in (("3", "20 minutes +a question and a coding task"), ("2", "45 minutes +questions only")):
            await pilot.press("6")
            await wait_for(pilot, lambda: "otherwise two" in shown_text(app), "the shares")
            await pilot.press(share)
            await wait_for(pilot, partial(finds, app, text), text)


async def test_an_interview_from_the_command_line_shows_its_note_until_the_first_answer(context: AppContext) -> None:
    note = "No coding task fits in a 20-minute interview; --coding third adds one."
    app = InterviewerApp(context, interview_of(context, questions=("clipping",)), note=note)
    async with app.run_test(size=NARROW) as pilot:
        await stage_of(pilot)
        await wait_for(pilot, lambda: note in shown_text(app), "the note in one line")
        await pilot.press(*"word1", "enter")
        await stage_of(pilot)
        assert note not in shown_text(app)


async def test_the_settings_screen_saves_them(context: AppContext) -> None:
    app = open_app(context)
    async with app.run_test(size=NARROW) as pilot:
        await pilot.press("s")
        await wait_for(pilot, lambda: "coding" in shown_text(app), "the settings")
        rows = app.screen.query_one(OptionList)
        rows.highlighted = rows.get_option_index("coding")
        await pilot.press("enter")
        await wait_for(pilot, lambda: isinstance(app.screen, ChoiceScreen), "the choices")
        await pilot.press("5")
        await wait_for(pilot, lambda: isinstance(app.screen, settings.SettingsScreen), "the settings")
    assert context.settings.coding == "most"
    assert 'coding = "most"' in context.folders.config_file.read_text()
