"""No single key discards typed text that was not sent, and a draft continues where it ended."""

from __future__ import annotations

import pytest

from interviewer.interview.context import AppContext
from interviewer.session.move import MoveKind
from interviewer.session.state import Awaiting
from interviewer.tui.screens.dialogs import ChoiceScreen
from interviewer.tui.widgets.answer_box import AnswerBox
from interviewer.tui.widgets.code_editor import CodeEditor
from tests.tui.conftest import NARROW, STARTER, WIDE, interview_of, open_app, settled, shown_text, stage_of, wait_for

pytestmark = pytest.mark.slow


async def test_a_draft_that_came_back_is_typed_on_at_its_end(context: AppContext) -> None:
    interview = interview_of(context, questions=("clipping",))
    interview.save_draft("answer", "first line\nhalf a")
    app = open_app(context, interview)
    async with app.run_test(size=NARROW) as pilot:
        screen = await stage_of(pilot)
        await pilot.press(*" word")
        assert screen.query_one(AnswerBox).text == "first line\nhalf a word"


async def test_skipping_with_an_answer_in_the_box_asks_first(context: AppContext) -> None:
    app = open_app(context, interview_of(context, questions=("clipping", "entropy")))
    async with app.run_test(size=NARROW) as pilot:
        screen = await stage_of(pilot)
        await pilot.press(*"long", "f9")
        await wait_for(pilot, lambda: isinstance(app.screen, ChoiceScreen), "the question")
        assert "You have an unsent answer" in " ".join(shown_text(app).split())
        await pilot.press("1")
        await settled(pilot, screen)
        assert (screen.interview.session.part, screen.query_one(AnswerBox).text) == (0, "long")
        await pilot.press("f9")
        await wait_for(pilot, lambda: isinstance(app.screen, ChoiceScreen), "the question again")
        await pilot.press("2")
        await wait_for(pilot, lambda: screen.interview.session.part == 1, "the next part")
        # Kept, as the dialog says.
        assert screen.query_one(AnswerBox).text == "long"


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_skipping_a_task_asks_only_when_code_would_be_left(context: AppContext, size: tuple[int, int]) -> None:
    app = open_app(context, interview_of(context, tasks=("gae",)))
    async with app.run_test(size=size) as pilot:
        screen = await stage_of(pilot)
        await pilot.press("f3", "x", "f9")
        await wait_for(pilot, lambda: isinstance(app.screen, ChoiceScreen), "the question")
        assert "unsubmitted code changes" in " ".join(shown_text(app).split())
        await pilot.press("1", "backspace")
        assert screen.query_one(CodeEditor).text == STARTER
        await pilot.press("f9")
        await wait_for(pilot, lambda: screen.interview.session.is_over, "the end, unasked")


async def test_skipping_a_doubt_that_ends_the_interview_asks_first(
    context: AppContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("interviewer.session.engine.DOUBT_SHARE", 1.0)
    app = open_app(context, interview_of(context, questions=("clipping",)))
    async with app.run_test(size=NARROW) as pilot:
        screen = await stage_of(pilot)

        def is_doubted() -> bool:
            answered = screen.interview.session.answered
            return answered is not None and answered.kind is MoveKind.DOUBT

        for number in range(1, 6):
            if not is_doubted():
                await pilot.press(*f"word{number}", "enter")
                await stage_of(pilot)
        assert is_doubted()
        await pilot.press("f9")
        await wait_for(pilot, lambda: "Skipping this last part ends" in shown_text(app), "the warning")
        await pilot.press("1")
        await settled(pilot, screen)
        assert screen.interview.session.awaiting is Awaiting.ANSWER
        await pilot.press("f9", "2")
        await wait_for(pilot, lambda: screen.interview.session.awaiting is Awaiting.SELF_MARKS, "the marks")


async def test_skipping_a_challenge_that_ends_the_interview_asks_first(context: AppContext) -> None:
    app = open_app(context, interview_of(context, questions=("clipping",)))
    async with app.run_test(size=NARROW) as pilot:
        screen = await stage_of(pilot)
        await pilot.press(*"bounded", "enter")
        await stage_of(pilot)
        answered = screen.interview.session.answered
        assert answered is not None
        assert answered.kind is MoveKind.CHALLENGE
        await pilot.press("f9")
        await wait_for(pilot, lambda: "Skipping this last part ends" in shown_text(app), "the warning")
