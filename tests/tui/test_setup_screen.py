"""The screen that sets up a model: from home to a saved setting, an unusable reply, and a calibration."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from textual.pilot import Pilot

from interviewer.bank.load import load_questions
from interviewer.config import ConfigError, check_model, load_settings
from interviewer.interview.context import AppContext
from interviewer.tui.screens import setup
from interviewer.tui.screens.dialogs import ChoiceScreen
from interviewer.tui.screens.home import NO_MODEL, HomeScreen
from interviewer.tui.screens.setup import SetupScreen
from tests.chat.fake_server import KEY, FakeServer
from tests.interview.test_model_setup import ONE_SHOWN
from tests.tui.conftest import NARROW, interview_of, open_app, shown_text, wait_for

pytestmark = pytest.mark.slow


@pytest.fixture
def on_setup(local_server: FakeServer, context: AppContext) -> AppContext:
    """Return a context whose server on this machine offers two models."""
    local_server.script = lambda messages: ONE_SHOWN
    context.questions = load_questions()
    context.environ = os.environ
    return context


async def found(pilot: Pilot[None], text: str = "hosted_vllm/small") -> None:
    """Open the screen, and return once it shows this."""
    await pilot.press("y")
    await wait_for(pilot, lambda: isinstance(pilot.app.screen, SetupScreen), "the screen")
    await wait_for(pilot, lambda: text in shown_text(pilot.app), "the models")


def saved_model(context: AppContext) -> str:
    return load_settings(context.folders, {}, {}).model


async def test_a_model_is_tried_and_saved(on_setup: AppContext) -> None:
    app = open_app(on_setup)
    async with app.run_test(size=NARROW) as pilot:
        await found(pilot)
        await pilot.press("down", "enter")
        await wait_for(pilot, lambda: "Try one judgment" in shown_text(app), "the dialog")
        await pilot.press("1")
        await wait_for(pilot, lambda: "The reply is usable" in shown_text(app), "the trial")
        assert "answers: about" in shown_text(app)
        assert saved_model(on_setup) == ""
        await pilot.press("1")
        await wait_for(pilot, lambda: "hosted_vllm/large  in use" in shown_text(app), "the mark")
        assert saved_model(on_setup) == on_setup.model_name == "hosted_vllm/large"
        await pilot.press("escape")
        await wait_for(pilot, lambda: "Examiner: hosted_vllm/large" in shown_text(app), "home")


async def test_a_reply_that_cannot_be_used_is_not_saved_by_the_first_answer(
    on_setup: AppContext, local_server: FakeServer
) -> None:
    local_server.script = lambda messages: "[red]Good[/red] answer."
    app = open_app(on_setup)
    async with app.run_test(size=NARROW) as pilot:
        await found(pilot)
        await pilot.press("enter", "1")
        await wait_for(pilot, lambda: "No usable judgment" in shown_text(app), "the trial")
        assert isinstance(app.screen, ChoiceScreen)
        await pilot.press("1")
        await wait_for(pilot, lambda: isinstance(app.screen, SetupScreen), "the list")
        assert saved_model(on_setup) == ""
        await pilot.press("enter", "2")
        await wait_for(pilot, lambda: "Saved model" in shown_text(app), "the setting")
        assert saved_model(on_setup) == "hosted_vllm/small"


async def test_names_from_a_server_are_shown_as_they_are(on_setup: AppContext, local_server: FakeServer) -> None:
    local_server.offers = ["[bold]x[/bold]\x1b[31m"]
    app = open_app(on_setup)
    async with app.run_test(size=NARROW) as pilot:
        await found(pilot, "hosted_vllm/[bold]x[/bold]")
        await pilot.press("enter")
        await wait_for(pilot, lambda: isinstance(app.screen, ChoiceScreen), "the dialog")
        assert "hosted_vllm/[bold]x[/bold]" in shown_text(app)


async def test_a_name_can_be_typed_and_all_models_searched(
    on_setup: AppContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROQ_API_KEY", KEY)
    app = open_app(on_setup)
    async with app.run_test(size=NARROW) as pilot:
        await found(pilot, "groq/openai/gpt-oss-120b")
        assert KEY not in shown_text(app)
        await pilot.press("end", "up", "enter")
        await wait_for(pilot, lambda: "More models" in shown_text(app), "the search")
        await pilot.press(*"oss-20b", "enter")
        await wait_for(pilot, lambda: "Try one judgment" in shown_text(app), "the dialog")
        await pilot.press("2")
        await wait_for(pilot, lambda: saved_model(on_setup) == "groq/openai/gpt-oss-20b", "the setting")
        assert "Keep GROQ_API_KEY set" in shown_text(app)
        await pilot.press("end", "enter", "f7", *"mine", "enter")
        with pytest.raises(ConfigError) as refusal:
            check_model("mine")
        told = refusal.value.message
        await wait_for(pilot, lambda: told in " ".join(shown_text(app).split()), "the same refusal")
        await pilot.press("enter", "f7", *"openai/mine", "enter")
        await wait_for(pilot, lambda: "openai/mine" in shown_text(app), "the dialog")
        await pilot.press("2")
        await wait_for(pilot, lambda: saved_model(on_setup) == "openai/mine", "the setting")


async def test_leaving_the_screen_stops_the_calibration(on_setup: AppContext, monkeypatch: pytest.MonkeyPatch) -> None:
    may_go_on, is_stopped, names = threading.Event(), threading.Event(), []

    def calibrate(context: AppContext, on_progress: Callable[[int, int], bool]) -> Any:
        names.append(context.model_name)
        assert on_progress(1, 3)
        may_go_on.wait(30)
        if not on_progress(2, 3):
            is_stopped.set()
        return None, None, ""

    monkeypatch.setattr(setup, "calibrate_examiner", calibrate)
    app = open_app(on_setup)
    async with app.run_test(size=NARROW) as pilot:
        await found(pilot)
        await pilot.press("enter", "1")
        await wait_for(pilot, lambda: "The reply is usable" in shown_text(app), "the trial")
        await pilot.press("2")
        await wait_for(pilot, lambda: "1 of 3 answers judged" in shown_text(app), "the progress")
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, SetupScreen), "a second model cannot be chosen meanwhile"
        await pilot.press("escape")
        await wait_for(pilot, lambda: isinstance(app.screen, HomeScreen), "home")
        may_go_on.set()
        await wait_for(pilot, is_stopped.is_set, "the end of the calibration")
    assert names == ["hosted_vllm/small"]


async def test_home_mentions_it_on_the_first_run_without_a_model(
    on_setup: AppContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def is_mentioned(context: AppContext) -> bool:
        app = open_app(context)
        async with app.run_test(size=NARROW) as pilot:
            # The checks start after the log has been read.
            await wait_for(pilot, lambda: "checks" in shown_text(app) or not is_first, "home")
            await pilot.pause(0.5)
            return NO_MODEL in shown_text(app)

    is_first = True
    assert await is_mentioned(on_setup)
    on_setup.use(replace(on_setup.settings, model="hosted_vllm/small"))
    assert not await is_mentioned(on_setup)
    on_setup.use(replace(on_setup.settings, model="", examiner="offline"))
    assert not await is_mentioned(on_setup)
    on_setup.use(replace(on_setup.settings, examiner="auto"))
    with monkeypatch.context() as patch:
        patch.setenv("GROQ_API_KEY", KEY)
        assert not await is_mentioned(on_setup)
    on_setup.use(on_setup.settings)
    is_first = False
    interview_of(on_setup, questions=("ppo_clipping",)).end()
    assert not await is_mentioned(on_setup)
