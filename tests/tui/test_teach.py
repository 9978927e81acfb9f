"""From the debrief, a missed point is explained and asked again; typed text is kept, and leaving never waits."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot

from interviewer.chat.scripted import ScriptedModel
from interviewer.interview.context import AppContext
from interviewer.interview.sessions import load_session
from interviewer.session import phrases
from interviewer.session.state import Session
from interviewer.tui.app import InterviewerApp
from interviewer.tui.messages import DebriefChosen
from interviewer.tui.screens.debrief import DebriefScreen
from interviewer.tui.screens.dialogs import ChoiceScreen
from interviewer.tui.screens.teach import TeachScreen
from interviewer.tui.widgets.answer_box import AnswerBox
from tests.interview.test_runner import finds
from tests.interview.test_summaries import logged, use
from tests.interview.test_teaching import QUOTE, TEXT
from tests.tui.conftest import NARROW, WIDE, open_app, shown_text, wait_for
from tests.tui.test_summary_in_debrief import Waiting

# This module starts many apps.
pytestmark = pytest.mark.slow


def app_with(context: AppContext, model: ScriptedModel | None) -> tuple[InterviewerApp, Session]:
    session = logged(context.log, "llm:x" if model else "offline")
    use(context, model)
    return open_app(context), session


async def open_point(pilot: Pilot[None], session: Session, choice: str) -> TeachScreen:
    """Open the debrief, its only missed point, and then this choice."""
    app = pilot.app
    if not isinstance(app.screen, DebriefScreen):
        app.post_message(DebriefChosen(session))
        await wait_for(pilot, lambda: isinstance(app.screen, DebriefScreen), "the debrief")
        await pilot.press("n")
        await wait_for(pilot, lambda: "Missed points" in shown_text(app), "the points")
        await pilot.press("1")
    await wait_for(pilot, lambda: "Let me try again" in shown_text(app), "the choices")
    await pilot.press(choice)
    await wait_for(pilot, lambda: isinstance(app.screen, TeachScreen), "the point")
    screen = app.screen
    assert isinstance(screen, TeachScreen)
    return screen


async def back_to_choices(pilot: Pilot[None]) -> None:
    await pilot.press("escape")
    await wait_for(pilot, lambda: isinstance(pilot.app.screen, ChoiceScreen), "the choices")


async def test_a_point_is_explained_with_a_model(context: AppContext) -> None:
    app, session = app_with(context, ScriptedModel(judgements=["no summary", TEXT]))
    async with app.run_test(size=WIDE) as pilot:
        app.post_message(DebriefChosen(session))
        await wait_for(pilot, lambda: phrases.NO_SUMMARY in shown_text(app), "the summary to be done")
        await pilot.press("n")
        await wait_for(pilot, lambda: "Missed points" in shown_text(app), "the points")
        await pilot.press("1")
        await wait_for(pilot, lambda: "Explain this point" in shown_text(app), "the choices")
        await pilot.press("1")
        await wait_for(pilot, lambda: TEXT in shown_text(app), "the explanation")
        assert "Practice, not scored · clipping" in shown_text(app)
        assert "Written by scripted, based on the question bank's answer" in shown_text(app)
        assert "Source: arXiv:1707.06347" in shown_text(app)
        await back_to_choices(pilot)
        await pilot.press("escape")
        await wait_for(pilot, lambda: isinstance(app.screen, DebriefScreen), "the debrief")
        await pilot.press("end")
        await wait_for(pilot, lambda: "After the interview" in shown_text(app), "the debrief to list it")


async def test_offline_the_banks_text_serves(context: AppContext) -> None:
    app, session = app_with(context, None)
    async with app.run_test(size=WIDE) as pilot:
        await open_point(pilot, session, "1")
        await wait_for(pilot, lambda: phrases.NO_EXPLANATION in shown_text(app), "the line")
        for text in ("Asked at rung 3: clipping rung 3?", "answer 3", "Point 3 of clipping.", "arXiv:1707.06347"):
            assert text in shown_text(app)
    assert context.log.afterwards(session.id) == []


async def test_a_second_try_is_told_and_not_scored(context: AppContext) -> None:
    app, session = app_with(context, ScriptedModel(judgements=["no summary", finds("p3", QUOTE)]))
    async with app.run_test(size=WIDE) as pilot:
        app.post_message(DebriefChosen(session))
        await wait_for(pilot, lambda: phrases.NO_SUMMARY in shown_text(app), "the summary to be done")
        await pilot.press("n")
        await wait_for(pilot, lambda: "Missed points" in shown_text(app), "the points")
        await pilot.press("1")
        screen = await open_point_again(pilot, "2")
        assert "clipping rung 3?" in shown_text(app)
        assert "answer 3" not in shown_text(app)
        await pilot.press("enter")
        assert screen.query_one(AnswerBox).text == ""
        await pilot.press(*f"so {QUOTE}", "enter")
        await wait_for(pilot, lambda: "Judged by: scripted. Not scored." in shown_text(app), "the result")
        assert f"heard “{QUOTE}”" in shown_text(app)
        assert screen.query_one(AnswerBox).text == ""
    again = load_session(context.log, session.id)
    assert [attempt.text for attempt in again.practice] == [f"so {QUOTE}"]
    assert again.drills == session.drills


async def open_point_again(pilot: Pilot[None], choice: str) -> TeachScreen:
    """Open this choice of the point whose choices are shown."""
    await wait_for(pilot, lambda: "Let me try again" in shown_text(pilot.app), "the choices")
    await pilot.press(choice)
    await wait_for(pilot, lambda: isinstance(pilot.app.screen, TeachScreen), "the point")
    screen = pilot.app.screen
    assert isinstance(screen, TeachScreen)
    return screen


async def test_an_unsent_answer_is_there_the_next_time(context: AppContext) -> None:
    app, session = app_with(context, None)
    async with app.run_test(size=NARROW) as pilot:
        await open_point(pilot, session, "2")
        await pilot.press(*"half an answer")
        await back_to_choices(pilot)
        screen = await open_point_again(pilot, "2")
        assert screen.query_one(AnswerBox).text == "half an answer"
        await pilot.press(*"!", "ctrl+q")
    assert context.log.draft(session.id, "practice:clipping/p3") == "half an answer!"


async def test_an_answer_that_is_being_judged_survives_leaving(context: AppContext) -> None:
    model = Waiting("{}")
    app, session = app_with(context, model)
    async with app.run_test(size=NARROW) as pilot:
        await open_point(pilot, session, "2")
        await pilot.press(*"what I said then", "enter")
        await wait_for(pilot, lambda: "is being judged" in shown_text(app), "the wait")
        await back_to_choices(pilot)
        screen = await open_point_again(pilot, "2")
        assert screen.query_one(AnswerBox).text == "what I said then"
    assert context.log.afterwards(session.id) == []


async def test_without_a_missed_point_there_is_nothing_to_open(context: AppContext, tmp_path: Path) -> None:
    app, session = app_with(context, None)
    async with app.run_test(size=NARROW) as pilot:
        screen = DebriefScreen(session, lambda session, *_: session)
        app.push_screen(screen)
        await wait_for(pilot, lambda: app.screen is screen, "a debrief without a teacher")
        assert not screen.check_action("teach", ())
