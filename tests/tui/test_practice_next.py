"""One key in the debrief starts what to practice next; if there is nothing to practice, the key does not exist."""

from __future__ import annotations

from interviewer.interview.context import AppContext
from interviewer.session.state import Session
from interviewer.tui.messages import DebriefChosen
from interviewer.tui.screens.debrief import DebriefScreen
from interviewer.tui.screens.dialogs import ChoiceScreen
from tests.fakes import RecordingFrontend
from tests.tui.conftest import NARROW, interview_of, open_app, shown_text, stage_of, wait_for


def skipped(context: AppContext, **parts: tuple[str, ...]) -> Session:
    """Return a session whose only part was skipped."""
    interview = interview_of(context, **parts)
    interview.run_until_input(RecordingFrontend())
    interview.skip()
    interview.run_until_input(RecordingFrontend())
    assert interview.session.is_over
    return interview.session


async def test_one_key_starts_the_question_that_failed_most(context: AppContext) -> None:
    session = skipped(context, questions=("clipping",))
    app = open_app(context)
    async with app.run_test(size=NARROW) as pilot:
        app.post_message(DebriefChosen(session))
        await wait_for(pilot, lambda: "Press p to start the first item." in shown_text(app), "the debrief")
        assert "interviewer interview --question clipping" in " ".join(shown_text(app).split())
        await pilot.press("p")
        screen = await stage_of(pilot)
        assert screen.interview.session.id != session.id
        assert [part.id for part in screen.interview.session.plan.parts] == ["clipping"]


async def test_a_task_is_offered_with_its_time(context: AppContext) -> None:
    session = skipped(context, questions=(), tasks=("gae",))
    app = open_app(context)
    async with app.run_test(size=NARROW) as pilot:
        app.post_message(DebriefChosen(session))
        await wait_for(pilot, lambda: isinstance(app.screen, DebriefScreen), "the debrief")
        await pilot.press("p")
        await wait_for(pilot, lambda: isinstance(app.screen, ChoiceScreen), "the choice of a time")
        assert "The clock starts when you choose a time." in " ".join(shown_text(app).split())


async def test_nothing_to_practice_leaves_the_key_dead_and_unlisted(context: AppContext) -> None:
    interview = interview_of(context, questions=("clipping",))
    interview.run_until_input(RecordingFrontend())
    interview.end()
    interview.run_until_input(RecordingFrontend())
    app = open_app(context)
    async with app.run_test(size=NARROW) as pilot:
        app.post_message(DebriefChosen(interview.session))
        await wait_for(pilot, lambda: isinstance(app.screen, DebriefScreen), "the debrief")
        await pilot.press("p")
        await pilot.pause()
        assert isinstance(app.screen, DebriefScreen)
        assert "Practice next" not in shown_text(app)
