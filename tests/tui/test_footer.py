"""The footer appears at once, even if the window has no focus yet, as in a browser's page."""

from __future__ import annotations

from textual.app import App

from interviewer.interview.context import AppContext
from tests.tui.conftest import NARROW, open_app, shown_text, wait_for


async def test_the_keys_are_shown_without_the_windows_focus(context: AppContext) -> None:
    app = open_app(context)
    app.set_reactive(App.app_focus, False)
    async with app.run_test(size=NARROW) as pilot:
        await wait_for(pilot, lambda: "Keys" in shown_text(app).split("\n")[-1], "the footer")
        assert not app.app_focus
