"""After a pass, the code stays on screen until the candidate continues."""

from __future__ import annotations

from dataclasses import replace

import pytest

from graders.verdict import Verdict
from interviewer.interview.context import AppContext
from interviewer.interview.sessions import new_interview
from interviewer.session.plan import PlanRequest
from interviewer.session.state import Awaiting
from interviewer.tui.screens.dialogs import ChoiceScreen
from interviewer.tui.screens.reading import ReadingScreen, SideBySideScreen
from interviewer.tui.widgets.answer_box import AnswerBox
from interviewer.tui.widgets.code_editor import CodeEditor
from tests.tui.conftest import (
    NARROW,
    STARTER,
    WIDE,
    PreparedClient,
    interview_of,
    open_app,
    report,
    shown_text,
    stage_of,
    task,
    wait_for,
)
from tests.tui.test_challenge import challenge_of, on_stage, press

# This module starts many apps.
pytestmark = pytest.mark.slow


async def test_in_an_interview_it_stays_until_enter(context: AppContext, client: PreparedClient) -> None:
    client.reports = [report(Verdict.PASSED)]
    context.full_tasks = (task("gae"), replace(task("ppo_loss"), starter="def second(): ...\n"))
    app = open_app(context, interview_of(context, tasks=("gae", "ppo_loss")))
    async with app.run_test(size=WIDE) as pilot:
        screen = await stage_of(pilot)
        await pilot.press("f3", *"mine", "ctrl+s")
        await stage_of(pilot)
        await pilot.press(*"linear", "enter")
        await stage_of(pilot)
        assert screen.interview.session.part == 1
        assert screen.query_one(CodeEditor).text == "mine" + STARTER
        assert "Press enter to continue." in shown_text(app)
        await pilot.press("f9", "f8", "ctrl+s", "f3", "x")
        assert screen.interview.session.part == 1
        assert screen.query_one(CodeEditor).text == "mine" + STARTER
        await pilot.press("ctrl+r")
        await wait_for(pilot, lambda: isinstance(app.screen, ReadingScreen), "the solution")
        await pilot.press("v")
        await wait_for(pilot, lambda: isinstance(app.screen, SideBySideScreen), "the solution next to the code")
        await pilot.press("escape", "escape", "f4", "enter")
        await wait_for(pilot, lambda: "second" in screen.query_one(CodeEditor).text, "the next task")
        await pilot.press("f3", "y")
        assert screen.query_one(CodeEditor).text == "ydef second(): ...\n"
    assert screen.interview.draft("code:gae") == "mine" + STARTER


async def test_on_a_narrow_screen_it_is_what_is_shown(context: AppContext, client: PreparedClient) -> None:
    client.reports = [report(Verdict.PASSED)]
    context.full_tasks = (task("gae"), task("ppo_loss"))
    app = open_app(context, interview_of(context, tasks=("gae", "ppo_loss")))
    async with app.run_test(size=NARROW) as pilot:
        screen = await stage_of(pilot)
        await pilot.press("f3", *"mine", "ctrl+s")
        await stage_of(pilot)
        code, asked = "mine" + STARTER.splitlines()[0], "Which line of your code"
        assert code in shown_text(app)
        assert asked in shown_text(app)
        await pilot.press(*"linear")
        assert screen.query_one(AnswerBox).text == "linear"
        await pilot.press("f3")
        await pilot.pause()
        assert code in shown_text(app)
        assert asked in shown_text(app)
        await pilot.press("f4", "enter")
        await stage_of(pilot)
        assert code in shown_text(app)
        assert "Press enter to continue." in shown_text(app)
        await pilot.press("f3", "x", "enter")
        await wait_for(pilot, lambda: screen.query_one("#statement").has_focus, "the next task")
        await stage_of(pilot)
        assert not screen.query_one(CodeEditor).region, "a new task shows one view at a time"
        assert screen.interview.draft("code:gae") == "mine" + STARTER


@pytest.mark.parametrize("view", ["f2", "f3", "f4"])
async def test_at_the_offer_enter_leads_to_the_choice_from_every_view(
    context: AppContext, client: PreparedClient, view: str
) -> None:
    client.reports = [report(Verdict.PASSED)]
    interview = new_interview(context, PlanRequest(45.0, tasks=("gae",)), seed=1)
    app = open_app(context, interview)
    async with app.run_test(size=NARROW) as pilot:
        await stage_of(pilot)
        await pilot.press("f3", *"mine", "ctrl+s")
        await stage_of(pilot)
        await pilot.press("f4", *"linear", "enter")
        await stage_of(pilot)
        assert interview.session.awaiting is Awaiting.OFFER
        assert "Press enter to accept or decline." in shown_text(app)
        await pilot.press(view, "enter")
        await wait_for(pilot, lambda: isinstance(app.screen, ChoiceScreen), "the choice")
        assert not interview.session.is_over


async def test_enter_in_the_search_of_the_code_searches(context: AppContext, client: PreparedClient) -> None:
    client.reports = [report(Verdict.PASSED)]
    context.full_tasks = (task("gae"), task("ppo_loss"))
    app = open_app(context, interview_of(context, tasks=("gae", "ppo_loss")))
    async with app.run_test(size=WIDE) as pilot:
        screen = await stage_of(pilot)
        await pilot.press("f3", *"mine", "ctrl+s")
        await stage_of(pilot)
        await pilot.press(*"linear", "enter")
        await stage_of(pilot)
        await pilot.press("f3", "ctrl+f", *"def", "enter")
        await pilot.pause()
        assert screen.query_one(CodeEditor).text == "mine" + STARTER
        assert "Press enter to continue." in shown_text(app)


async def test_the_next_question_is_answered_at_once(context: AppContext, client: PreparedClient) -> None:
    client.reports = [report(Verdict.PASSED)]
    app = open_app(context, interview_of(context, tasks=("gae",), questions=("clipping",)))
    async with app.run_test(size=WIDE) as pilot:
        screen = await stage_of(pilot)
        while not screen.is_task:
            await pilot.press("f9")
            await stage_of(pilot)
            if screen.interview.session.awaiting is Awaiting.SELF_MARKS:
                await pilot.press("ctrl+s")
                await stage_of(pilot)
        await pilot.press("f3", *"mine", "ctrl+s")
        await stage_of(pilot)
        # F9 means continue, so nothing is kept on screen.
        await pilot.press("f9")
        await wait_for(
            pilot, lambda: screen.interview.session.part == 2 or screen.interview.session.is_over, "the next"
        )
        await stage_of(pilot)
        assert not screen.query_one(CodeEditor).display
        assert screen.focused in {screen.query_one(AnswerBox), screen.query_one("#open-debrief")}


async def test_in_a_challenge_it_stays_with_the_clock_stopped(context: AppContext, client: PreparedClient) -> None:
    client.reports = [report(Verdict.PASSED)]
    context.full_tasks = (
        replace(task("gae"), title="First"),
        replace(task("ppo_loss"), title="Second", starter="def second(): ...\n"),
    )
    app = open_app(context, challenge_of(context, "gae", "ppo_loss", minutes=60))
    async with app.run_test(size=WIDE) as pilot:
        screen = await on_stage(pilot)
        text = await press(pilot, screen, "f3", *"mine", "ctrl+s")
        assert screen.challenge.session.part == 1
        assert screen.query_one(CodeEditor).text == "mine" + STARTER
        assert "Task 1 of 2 · First" in text
        assert "The clock is stopped." in text
        assert "#1 passed" in text
        assert screen.challenge.is_paused
        await wait_for(pilot, lambda: screen.focused is screen.query_one("#next-task"), "the button to have the focus")
        await pilot.press("f5", "f9", "f8", "ctrl+s", "f3", "x")
        assert screen.query_one(CodeEditor).text == "mine" + STARTER
        assert screen.challenge.is_paused
        await pilot.press("ctrl+r")
        await wait_for(pilot, lambda: isinstance(app.screen, ReadingScreen), "the solution")
        await pilot.press("escape")
        await wait_for(pilot, lambda: app.screen is screen, "the challenge again")
        await pilot.press("f3", "enter")
        await wait_for(pilot, lambda: "second" in screen.query_one(CodeEditor).text, "the next task")
        assert not screen.challenge.is_paused
        assert "Task 2 of 2 · Second" in shown_text(app)
        await pilot.press("f3", "y")
        assert screen.query_one(CodeEditor).text == "ydef second(): ...\n"
