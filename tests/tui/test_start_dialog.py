"""The start dialog changes the role, level and share of coding of the interview; the settings contain the defaults."""

from __future__ import annotations

import re
from dataclasses import replace

from textual.widgets import OptionList

from interviewer.interview.context import AppContext
from interviewer.tui.app import InterviewerApp
from interviewer.tui.screens import settings
from interviewer.tui.screens.dialogs import ChoiceScreen
from tests.tui.conftest import NARROW, open_app, shown_text, stage_of, wait_for


def says(app: InterviewerApp, label: str, value: str) -> bool:
    """Return whether the dialog shows this value for a wish."""
    return re.search(rf"{label} +{value} · change", shown_text(app)) is not None


async def test_role_level_and_coding_are_chosen_before_the_start(context: AppContext) -> None:
    context.use(replace(context.settings, level="senior"))
    app = open_app(context)
    async with app.run_test(size=NARROW) as pilot:
        await pilot.press("m")
        await wait_for(pilot, lambda: says(app, "Coding", "auto"), "the dialog")
        assert says(app, "Level", "senior")
        await pilot.press("6")
        await wait_for(pilot, lambda: "Share of coding in a mock interview." in shown_text(app), "the shares")
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
