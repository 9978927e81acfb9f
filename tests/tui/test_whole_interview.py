"""One interview from home to the log with real key presses, and the same interview left halfway and resumed."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot

from graders.verdict import Verdict
from interviewer.interview.context import AppContext
from interviewer.session.assessment import State
from interviewer.session.state import Awaiting
from interviewer.tui.screens.debrief import DebriefScreen
from interviewer.tui.screens.dialogs import ChoiceScreen
from interviewer.tui.screens.home import HomeScreen
from interviewer.tui.screens.interview import InterviewScreen
from interviewer.tui.screens.log import LogScreen
from interviewer.tui.screens.reading import ReadingScreen, SideBySideScreen
from interviewer.tui.widgets.answer_box import AnswerBox
from interviewer.tui.widgets.code_editor import CodeEditor
from tasks.load import find_task
from tests.tui.conftest import (
    NARROW,
    STARTER,
    WIDE,
    PreparedClient,
    interview_of,
    open_app,
    report,
    settled,
    shown_text,
    stage_of,
    wait_for,
)

pytestmark = pytest.mark.slow


@pytest.mark.expectation(number=32)
async def test_home_to_log_with_keys(context: AppContext, client: PreparedClient) -> None:
    client.reports = [report(Verdict.WRONG_VALUE, mistake=True, stdout="printed\n"), report(Verdict.PASSED)]
    app = open_app(context)
    async with app.run_test(size=WIDE) as pilot:
        await wait_for(pilot, lambda: client.has_started, "the warm-up after the first picture")
        assert "offline examiner" in shown_text(app)
        await pilot.press("m")
        await wait_for(pilot, lambda: isinstance(app.screen, ChoiceScreen), "the choice of minutes")
        await pilot.press("2")
        screen = await stage_of(pilot)
        assert screen.interview.session.plan.minutes == 45
        await answer_hint_skip_and_mark(pilot, screen)
        await submit_wrong_then_right(pilot, screen, client)
        while not screen.interview.session.is_over:
            await press(pilot, screen, "f9")
        await debrief_home_and_log(pilot)


async def press(pilot: Pilot[None], screen: InterviewScreen, *keys: str) -> str:
    """Press keys, wait until it is the candidate's turn again, and return what is shown."""
    await pilot.press(*keys)
    await settled(pilot, screen)
    return shown_text(pilot.app)


async def answer_hint_skip_and_mark(pilot: Pilot[None], screen: InterviewScreen) -> None:
    assert "word1 matters" in await press(pilot, screen, *"word1 matters", "enter")
    assert "hint 2a" in await press(pilot, screen, "f8")
    assert screen.query_one(AnswerBox).text == ""
    assert "Tick the points you made" in await press(pilot, screen, "f9")
    assert screen.interview.session.awaiting is Awaiting.SELF_MARKS
    await press(pilot, screen, "down", "space", "ctrl+s")
    marks = screen.interview.session.drills[0].self_marks or ()
    assert [mark.state for mark in marks] == [State.SHOWN, State.SHOWN, State.MISSING, State.MISSING]


async def submit_wrong_then_right(pilot: Pilot[None], screen: InterviewScreen, client: PreparedClient) -> None:
    while screen.interview.session.awaiting is not Awaiting.SUBMISSION:
        await press(pilot, screen, "f9")
    await wait_for(pilot, lambda: isinstance(pilot.app.focused, CodeEditor), "the editor to have the cursor")
    assert "discounted" in shown_text(pilot.app)
    text = await press(pilot, screen, *"x=1", "enter", "ctrl+s")
    assert client.sources == ["x=1\n" + STARTER]
    assert "✗ #1 wrong value · 2 of 3 cases passed" in text
    assert "ends_midway" in text
    assert "The recursion runs" not in text
    assert "score 0.50 · 1.2 s · seed 4711" in text
    assert "What may the last step know?" in text
    reacted = await press(pilot, screen, "f4", *"it knows nothing", "enter")
    assert "I cannot tell whether that" in reacted
    assert "The recursion runs" not in reacted
    named = await press(pilot, screen, "f8")
    assert named.count("The recursion runs") == 2
    text = await press(pilot, screen, "ctrl+s")
    assert screen.interview.session.works[0].has_passed
    assert "Which line of your code" in text
    assert screen.code_editor.text == "x=1\n" + STARTER
    assert "ctrl+r: your code and the solution" in text
    await pilot.press("ctrl+r")
    await wait_for(pilot, lambda: isinstance(pilot.app.screen, ReadingScreen), "the solution")
    await pilot.press("end")
    await wait_for(pilot, lambda: f"Source: {find_task('gae').source[0][:20]}" in shown_text(pilot.app), "the sources")
    await pilot.press("v")
    await wait_for(pilot, lambda: isinstance(pilot.app.screen, SideBySideScreen), "the reference next to the code")
    await pilot.pause()
    (line,) = [line for line in shown_text(pilot.app).splitlines() if "x=1" in line]
    assert "def gae(rewards):" in line
    await pilot.press("escape", "escape")
    await wait_for(pilot, lambda: pilot.app.screen is screen, "the interview")
    part = screen.interview.session.part
    assert not screen.interview.session.work.is_over
    await press(pilot, screen, "f9")
    assert screen.interview.session.part == part + 1


async def debrief_home_and_log(pilot: Pilot[None]) -> None:
    app = pilot.app
    await wait_for(pilot, lambda: getattr(app.focused, "id", "") == "open-debrief", "the way to the debrief")
    await pilot.press("enter")
    await wait_for(pilot, lambda: isinstance(app.screen, DebriefScreen), "the debrief")
    await pilot.pause()
    assert "Judged by: offline examiner" in shown_text(app)
    await pilot.press("escape")
    await wait_for(pilot, lambda: isinstance(app.screen, HomeScreen), "home")
    assert "no unfinished session" in shown_text(app)
    await pilot.press("l")
    await wait_for(pilot, lambda: isinstance(app.screen, LogScreen), "the log")
    await pilot.pause()
    assert "finished" in shown_text(app)
    await pilot.press("enter")
    await wait_for(pilot, lambda: isinstance(app.screen, DebriefScreen), "the debrief out of the log")


@pytest.mark.expectation(number=30)
async def test_quit_half_way_and_resume_with_both_drafts(context: AppContext) -> None:
    app = open_app(context, interview_of(context, questions=("clipping",), tasks=("gae",)))
    async with app.run_test(size=NARROW) as pilot:
        screen = await stage_of(pilot)
        await pilot.press("f9")
        await settled(pilot, screen)
        await pilot.press("f4", *"not sent", "f3", *"x=1")
        await pilot.press("ctrl+q")
    app = open_app(context)
    async with app.run_test(size=NARROW) as pilot:
        await pilot.pause()
        assert "Resume" in shown_text(app)
        await pilot.press("enter")
        screen = await stage_of(pilot)
        assert screen.interview.session.awaiting is Awaiting.SUBMISSION
        assert screen.query_one(CodeEditor).text == "x=1" + STARTER
        assert screen.query_one(AnswerBox).text == "not sent"


@pytest.mark.expectation(number=19)
async def test_escape_asks_and_leaving_keeps_everything(context: AppContext) -> None:
    app = open_app(context)
    async with app.run_test(size=NARROW) as pilot:
        await pilot.press("b", *"question entropy", "enter")
        screen = await stage_of(pilot)
        assert [part.id for part in screen.interview.session.plan.parts] == ["entropy"]
        await pilot.press(*"half", "escape")
        await wait_for(pilot, lambda: isinstance(app.screen, ChoiceScreen), "the question whether to leave")
        await pilot.press("escape")
        assert app.screen is screen
        await pilot.press("escape", "2")
        await wait_for(pilot, lambda: isinstance(app.screen, HomeScreen), "home")
        await pilot.press("r")
        screen = await stage_of(pilot)
        assert screen.query_one(AnswerBox).text == "half"


async def test_ending_asks_first(context: AppContext) -> None:
    app = open_app(context, interview_of(context, questions=("clipping", "entropy")))
    async with app.run_test(size=NARROW) as pilot:
        screen = await stage_of(pilot)
        await pilot.press("escape", "1")
        assert not screen.interview.session.is_over
        await pilot.press("escape", "3")
        await wait_for(pilot, lambda: screen.interview.session.is_over, "the end")
        await settled(pilot, screen)
        assert "Finished" in shown_text(app)
