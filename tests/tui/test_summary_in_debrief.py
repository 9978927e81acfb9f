"""The debrief appears at once; a model's summary appears when it is ready, and leaving never waits for it."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from interviewer.chat.model import ChatCancelled, Message, ModelUnreachable, Reply
from interviewer.chat.scripted import ScriptedModel
from interviewer.chat.streaming import never_cancelled
from interviewer.interview.context import AppContext
from interviewer.interview.sessions import load_session
from interviewer.interview.teaching import NO_MODEL
from interviewer.session import phrases
from interviewer.session.state import Session
from interviewer.tui.app import InterviewerApp
from interviewer.tui.messages import DebriefChosen
from interviewer.tui.screens.debrief import DebriefScreen
from interviewer.tui.screens.home import HomeScreen
from tests.interview.test_summaries import WRITTEN, logged, use
from tests.tui.conftest import WIDE, open_app, shown_text, wait_for

# This module starts many apps.
pytestmark = pytest.mark.slow


class Waiting(ScriptedModel):
    """Answer only after `gate` is set, or when the wait is canceled."""

    def __init__(self, reply: str) -> None:
        super().__init__(judgements=[reply])
        self.gate = threading.Event()
        self.was_cancelled = threading.Event()

    def complete(
        self,
        messages: Sequence[Message],
        schema: Mapping[str, Any] | None = None,
        temperature: float = 0.0,
        is_cancelled: Any = never_cancelled,
    ) -> Reply:
        while not self.gate.wait(0.01):
            if is_cancelled():
                self.was_cancelled.set()
                raise ChatCancelled("stopped", "")
        return super().complete(messages, schema, temperature, is_cancelled)


def app_with(
    context: AppContext, model: ScriptedModel | None, examiner: str = "llm:x"
) -> tuple[InterviewerApp, Session]:
    """Return the app and a logged session whose debrief can be opened."""
    session = logged(context.log, examiner)
    use(context, model)
    return open_app(context), session


async def test_the_summary_appears_below_the_debrief(context: AppContext) -> None:
    model = Waiting(WRITTEN)
    app, session = app_with(context, model)
    async with app.run_test(size=WIDE) as pilot:
        app.post_message(DebriefChosen(session))
        await wait_for(pilot, lambda: "is writing a summary" in shown_text(app), "the wait")
        await wait_for(pilot, lambda: "Judged by" in shown_text(app), "the debrief")
        model.gate.set()
        await wait_for(pilot, lambda: "summary is at the end" in shown_text(app), "the summary")
        await pilot.press("end")
        await wait_for(pilot, lambda: "Written by scripted, based on the points above" in shown_text(app), "its text")
        assert "point 2 belongs to clipping. (point: p2)" in shown_text(app)
        await pilot.press("escape")
        await wait_for(pilot, lambda: isinstance(app.screen, HomeScreen), "home")
        app.post_message(DebriefChosen(load_session(context.log, session.id)))
        await wait_for(pilot, lambda: isinstance(app.screen, DebriefScreen), "the debrief again")
        await pilot.press("end")
        await wait_for(pilot, lambda: "Written by scripted" in shown_text(app), "the same summary")
        assert "is writing" not in shown_text(app)
    assert len(model.requests) == 1


async def test_leaving_stops_the_model_and_waits_for_nothing(context: AppContext) -> None:
    model = Waiting("{}")
    app, session = app_with(context, model)
    async with app.run_test(size=WIDE) as pilot:
        app.post_message(DebriefChosen(session))
        await wait_for(pilot, lambda: "is writing a summary" in shown_text(app), "the wait")
        await pilot.press("escape")
        await wait_for(pilot, lambda: isinstance(app.screen, HomeScreen), "home")
        await wait_for(pilot, model.was_cancelled.is_set, "the model to be stopped")
    assert context.log.afterwards(session.id) == []


@pytest.mark.parametrize(
    ("model", "examiner", "note"),
    [
        (None, "offline", NO_MODEL),
        (ScriptedModel(judgements=["no"]), "llm:x", phrases.NO_SUMMARY),
        (ScriptedModel(judgements=[ModelUnreachable("m: no server.", "Start it.")]), "llm:x", phrases.SUMMARY_FAILED),
    ],
    ids=["offline", "unusable", "down"],
)
async def test_one_line_says_why_there_is_none(
    context: AppContext, model: ScriptedModel | None, examiner: str, note: str
) -> None:
    app, session = app_with(context, model, examiner)
    async with app.run_test(size=WIDE) as pilot:
        app.post_message(DebriefChosen(session))
        await wait_for(pilot, lambda: note in shown_text(app), "the line")
        await wait_for(pilot, lambda: "Judged by" in shown_text(app), "the debrief")
