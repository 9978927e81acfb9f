"""If time is left after the plan, the app and plain mode offer the next question."""

from __future__ import annotations

import io

import pytest
from textual.widgets import Static

from interviewer.cli.plain.interview import run_plain_interview
from interviewer.interview.context import AppContext
from interviewer.interview.runner import Interview
from interviewer.interview.sessions import new_challenge, new_interview, resume_interview
from interviewer.session.plan import PlanRequest
from interviewer.session.state import Awaiting
from interviewer.tui.screens.dialogs import ChoiceScreen
from tests.fakes import RecordingFrontend
from tests.tui.conftest import NARROW, open_app, shown_text, stage_of, wait_for


def short(context: AppContext) -> Interview:
    """Return a drawn interview with one question; the bank's other question is spare."""
    interview = new_interview(context, PlanRequest(minutes=10.0), seed=1)
    assert len(interview.session.plan.parts) == 1
    assert len(interview.session.plan.spare) == 1
    return interview


@pytest.mark.parametrize("key", ["1", "2"])
async def test_the_app_asks_and_does_as_told(context: AppContext, key: str) -> None:
    interview = short(context)
    (spare,) = interview.session.plan.spare
    app = open_app(context, interview)
    async with app.run_test(size=NARROW) as pilot:
        await stage_of(pilot)
        await pilot.press("f9")
        await wait_for(pilot, lambda: isinstance(app.screen, ChoiceScreen), "the offer")
        asked = str(app.screen.query_one(".text", Static).content)
        assert asked == (
            f"That was everything I had planned, and 9 minutes are left. One more question? It would be: {spare}."
        )
        assert "Plan complete" in shown_text(app)
        await pilot.press(key)
        if key == "1":
            await wait_for(pilot, lambda: f"Why does {spare} work?" in shown_text(app), "the question")
            assert interview.session.drill.question == spare
        else:
            await wait_for(pilot, lambda: interview.session.is_over, "the end")
            assert len(interview.session.drills) == 1


async def test_keys_meant_for_the_answer_box_decide_nothing(
    context: AppContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("interviewer.tui.typing_guard.OPEN_SECONDS", 600.0)
    interview = short(context)
    app = open_app(context, interview)
    async with app.run_test(size=NARROW) as pilot:
        await stage_of(pilot)
        await pilot.press("f9")
        await wait_for(pilot, lambda: isinstance(app.screen, ChoiceScreen), "the offer")
        await pilot.press("2", "1", "enter")
        await pilot.pause()
        assert isinstance(app.screen, ChoiceScreen)
        assert interview.session.awaiting is Awaiting.OFFER


async def test_escape_never_ends_the_interview_at_the_offer(context: AppContext) -> None:
    interview = new_interview(context, PlanRequest(45.0, questions=("clipping",)), seed=1)
    app = open_app(context, interview)
    async with app.run_test(size=NARROW) as pilot:
        await stage_of(pilot)
        await pilot.press("f9")
        await wait_for(pilot, lambda: "Plan complete" in shown_text(app), "the offer")
        await pilot.press("escape")
        await wait_for(pilot, lambda: "Leave the interview?" in shown_text(app), "the question")
        await pilot.press("1")
        await wait_for(pilot, lambda: "It would be: entropy." in shown_text(app), "the offer again")
        assert not interview.session.is_over


@pytest.mark.parametrize("key", ["1", "2"])
async def test_after_a_question_by_name_the_next_one_is_offered_and_can_be_declined(
    context: AppContext, key: str
) -> None:
    interview = new_interview(context, PlanRequest(45.0, questions=("clipping",)), seed=1)
    assert [part.id for part in interview.session.plan.parts] == ["clipping"]
    app = open_app(context, interview)
    async with app.run_test(size=NARROW) as pilot:
        await stage_of(pilot)
        await pilot.press("f9")
        await wait_for(pilot, lambda: isinstance(app.screen, ChoiceScreen), "the offer")
        asked = str(app.screen.query_one(".text", Static).content)
        assert asked.endswith("One more question? It would be: entropy.")
        await pilot.press(key)
        if key == "1":
            await wait_for(pilot, lambda: "Why does entropy work?" in shown_text(app), "the question")
        else:
            await wait_for(pilot, lambda: interview.session.is_over, "the end")
            assert [drill.question for drill in interview.session.drills] == ["clipping"]


def test_a_timed_challenge_ends_without_an_offer(context: AppContext) -> None:
    assert new_challenge(context, ["gae"], 20.0).session.plan.spare == ()


async def test_a_session_left_at_the_offer_comes_back_to_it(context: AppContext) -> None:
    interview = short(context)
    interview.run_until_input(RecordingFrontend())
    interview.skip()
    interview.run_until_input(RecordingFrontend())
    assert not interview.session.is_over
    app = open_app(context, resume_interview(context, interview.session.id))
    async with app.run_test(size=NARROW) as pilot:
        await wait_for(pilot, lambda: isinstance(app.screen, ChoiceScreen), "the offer")


@pytest.mark.parametrize("word", ["/next", "y"])
def test_plain_mode_asks_the_next_question(context: AppContext, word: str) -> None:
    interview = short(context)
    out = io.StringIO()
    lines = ["/skip", word, *["."] * (word == "y"), "/skip"]
    run_plain_interview(interview, io.StringIO("".join(f"{line}\n" for line in lines)), out, io.StringIO())
    (spare,) = interview.session.plan.spare
    assert "/next asks one more question; /end shows the debrief." in out.getvalue()
    assert f"Interviewer (next): Why does {spare} work?" in out.getvalue()
    assert interview.session.is_over
    # The list of sessions, and so the search for what was asked this month, knows the added question.
    assert spare in context.log.sessions()[0].parts


@pytest.mark.parametrize("lines", [["/skip", "/end"], ["/skip", "no", "."], ["/skip"]])
def test_plain_mode_ends_at_a_no_and_at_the_end_of_input(context: AppContext, lines: list[str]) -> None:
    interview = short(context)
    out = io.StringIO()
    assert run_plain_interview(interview, io.StringIO("".join(f"{line}\n" for line in lines)), out, io.StringIO())
    assert "# Debrief" in out.getvalue()
    assert len(interview.session.drills) == 1
