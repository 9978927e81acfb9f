"""A hint that was paid for in a challenge is visible, below the longest statement, and typing continues."""

from __future__ import annotations

from dataclasses import replace

import pytest

from interviewer.interview.context import AppContext
from interviewer.interview.sessions import new_challenge
from interviewer.tui.screens.challenge import ChallengeScreen
from interviewer.tui.screens.dialogs import ChoiceScreen
from interviewer.tui.widgets.code_editor import CodeEditor
from tests.tui.conftest import NARROW, STARTER, WIDE, open_app, shown_text, task, wait_for

LONG = "# Advantages\n\n" + "".join(f"Paragraph {n}.\n\n" for n in range(60))


@pytest.mark.slow
@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_each_new_hint_is_shown(context: AppContext, size: tuple[int, int]) -> None:
    context.full_tasks = (replace(task("gae"), statement=LONG),)
    app = open_app(context, new_challenge(context, ("gae",), 20.0))
    async with app.run_test(size=size) as pilot:
        await wait_for(pilot, lambda: isinstance(app.screen, ChallengeScreen), "the challenge")
        screen = app.screen
        assert isinstance(screen, ChallengeScreen)
        await wait_for(pilot, lambda: not screen.is_driving, "the runner to wait for input")
        for number in (1, 2):
            await pilot.press("f8")
            await wait_for(pilot, lambda: isinstance(app.screen, ChoiceScreen), "the price")
            await pilot.press("2")
            await wait_for(pilot, lambda: f"Hint {number}." in shown_text(app), f"hint {number}")  # noqa: B023
        if size == WIDE:
            await pilot.press("z")
            assert screen.query_one(CodeEditor).text == "z" + STARTER


async def test_when_it_is_over_nothing_asks_to_submit(context: AppContext) -> None:
    app = open_app(context, new_challenge(context, ("gae",), 20.0))
    async with app.run_test(size=WIDE) as pilot:
        await wait_for(pilot, lambda: isinstance(app.screen, ChallengeScreen), "the challenge")
        await pilot.press("f6")
        await wait_for(pilot, lambda: "Submit with ctrl+s" in shown_text(app), "how to submit")
        await pilot.press("f9")
        await wait_for(pilot, lambda: isinstance(app.screen, ChoiceScreen), "the question")
        await pilot.press("2")
        await wait_for(pilot, lambda: "No submissions." in shown_text(app), "the result")
        assert "Submit with ctrl+s" not in shown_text(app)
