"""Every screen with a driver behind it: code stays with the task it was typed for, and no draft steers the terminal."""

from __future__ import annotations

import pytest
from textual.widgets import TextArea

from interviewer.interview.context import AppContext
from interviewer.tui.screens.session import SessionScreen
from interviewer.tui.widgets.answer_box import AnswerBox
from interviewer.tui.widgets.code_editor import CodeEditor
from tests.fakes import RecordingFrontend
from tests.tui.conftest import STARTER, WIDE, interview_of, open_app, shown_text, stage_of, task, wait_for
from tests.tui.test_challenge import challenge_of, dialog, on_stage, press

pytestmark = pytest.mark.slow

STEERING = "left \x1b[D\x1b[D, and \u202eon"
STEERING_NO_MORE = "left �[D�[D, and �on"


@pytest.mark.parametrize("is_challenge", [False, True])
async def test_code_is_never_kept_as_that_of_the_next_task(context: AppContext, is_challenge: bool) -> None:
    context.full_tasks = (task("gae"), task("ppo_loss"))
    both = ("gae", "ppo_loss")
    running = challenge_of(context, *both, minutes=60) if is_challenge else interview_of(context, tasks=both)
    app = open_app(context, running)
    async with app.run_test(size=WIDE) as pilot:
        await wait_for(pilot, lambda: isinstance(app.screen, SessionScreen) and not app.screen.is_driving, "the stage")
        await pilot.press("f3", *"mine")
        # The driver's thread is at the next task already, and the screen has not drawn it yet.
        running.skip()
        running.run_until_input(RecordingFrontend())
        assert running.session.work.task == "ppo_loss"
        await pilot.press("x")
    assert running.draft("code:ppo_loss") == ""
    assert running.draft("code:gae") == "minex" + STARTER


@pytest.mark.parametrize(
    ("parts", "slot", "box"),
    [({"questions": ("clipping",)}, "answer", AnswerBox), ({"tasks": ("gae",)}, "code:gae", CodeEditor)],
)
async def test_a_draft_from_plain_lines_steers_nothing(
    context: AppContext, parts: dict[str, tuple[str, ...]], slot: str, box: type[TextArea]
) -> None:
    interview = interview_of(context, **parts)
    interview.save_draft(slot, STEERING)
    app = open_app(context, interview)
    async with app.run_test(size=WIDE) as pilot:
        screen = await stage_of(pilot)
        assert screen.query_one(box).text == STEERING_NO_MORE
        assert "\x1b" not in shown_text(app)


async def test_an_answer_taken_back_steers_nothing(context: AppContext) -> None:
    interview = interview_of(context, questions=("clipping",))
    interview.run_until_input(RecordingFrontend())
    interview.answer(STEERING)
    app = open_app(context, interview)
    async with app.run_test(size=WIDE) as pilot:
        screen = await stage_of(pilot)
        await pilot.press("f7", "2")
        await wait_for(pilot, lambda: "left" in screen.query_one(AnswerBox).text, "the answer")
        assert screen.query_one(AnswerBox).text == STEERING_NO_MORE


async def test_a_challenge_that_is_ended_in_a_pause_shows_its_result(context: AppContext) -> None:
    app = open_app(context, challenge_of(context))
    async with app.run_test(size=WIDE) as pilot:
        screen = await on_stage(pilot)
        await pilot.press("f5", "f7")
        await dialog(pilot, "End the challenge?")
        await press(pilot, screen, "2")
        assert "not passed, 0 attempts" in shown_text(app)
        assert "The clock stands" not in shown_text(app)
