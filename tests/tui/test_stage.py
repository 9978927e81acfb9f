"""Every screen with a runner: code stays with its own task, and no draft controls the terminal."""

from __future__ import annotations

from dataclasses import replace

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
        # The driver's thread is already at the next task, which the screen has not drawn yet.
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
        await pilot.press("ctrl+d", "2")
        await wait_for(pilot, lambda: "left" in screen.query_one(AnswerBox).text, "the answer")
        assert screen.query_one(AnswerBox).text == STEERING_NO_MORE


async def test_a_challenge_that_is_ended_in_a_pause_shows_its_result(context: AppContext) -> None:
    app = open_app(context, challenge_of(context))
    async with app.run_test(size=WIDE) as pilot:
        screen = await on_stage(pilot)
        await pilot.press("f5", "escape")
        await dialog(pilot, "Leave the challenge?")
        await press(pilot, screen, "3")
        assert "✗ not submitted" in shown_text(app)
        assert "Paused. Your code" not in shown_text(app)


@pytest.mark.parametrize("is_challenge", [False, True])
async def test_a_task_is_called_by_its_title_and_never_by_its_id(context: AppContext, is_challenge: bool) -> None:
    context.full_tasks = tuple(
        replace(task(name), title=title) for name, title in (("lost_sync", "Slow start"), ("lost_seed", "Late end"))
    )
    both = ("lost_sync", "lost_seed")
    running = challenge_of(context, *both, minutes=60) if is_challenge else interview_of(context, tasks=both)
    app = open_app(context, running)
    async with app.run_test(size=WIDE) as pilot:
        await wait_for(pilot, lambda: isinstance(app.screen, SessionScreen) and not app.screen.is_driving, "the stage")
        seen = [shown_text(app)]
        assert f"{'Task' if is_challenge else 'Part'} 1 of 2 · Slow start" in seen[0]
        for _ in both:
            running.skip()
            running.run_until_input(RecordingFrontend())
        if is_challenge:
            await wait_for(pilot, lambda: "over" in shown_text(app), "the end")
            await pilot.press("ctrl+r")
            await wait_for(pilot, lambda: "For which task?" in shown_text(app), "the choice of a solution")
            seen.append(shown_text(app))
            await pilot.press("1")
            await wait_for(pilot, lambda: "Solution · Slow start" in shown_text(app), "the solution")
        else:
            await wait_for(pilot, lambda: "Finished" in shown_text(app), "the end")
        seen.append(shown_text(app))
    home = open_app(context)
    async with home.run_test(size=WIDE) as pilot:
        await pilot.press("l")
        listed = "Slow start: not submitted; Late end: not submitted"
        await wait_for(pilot, lambda: listed in shown_text(home), "the log")
        seen.append(shown_text(home))
        await pilot.press("enter")
        await wait_for(pilot, lambda: "Practice next" in shown_text(home), "the debrief")
        assert "Slow start: not submitted." in shown_text(home)
        # The debrief names commands, and those take ids.
        seen.append(shown_text(home).replace("interviewer challenge lost_", ""))
    assert not [text for text in seen if "lost" in text]
