"""The candidate's screen says that someone is watching, and shows an observer's words as they are."""

from __future__ import annotations

import pytest

from interviewer.interview.context import AppContext
from interviewer.interview.observer_client import Observation, join
from interviewer.log.errors import NotAdmitted
from interviewer.session.move import MoveKind
from tests.tui import conftest
from tests.tui.conftest import NARROW, STARTER, WIDE, interview_of, open_app, settled, shown_text, stage_of, wait_for

HOSTILE = "[red]x[/] [@click=app.quit]y[/] **z** <b>b</b> \x1b[31mq"

context = conftest.context
client = conftest.client


async def test_the_screen_says_who_is_there_and_what_they_ask_is_plain_text(context: AppContext) -> None:
    interview = interview_of(context, questions=("clipping",))
    interview.go_live()
    live = interview.live
    assert live
    app = open_app(context, interview)
    async with app.run_test(size=NARROW) as pilot:
        screen = await stage_of(pilot)
        await settled(pilot, screen)
        assert f"live, token {live.token}" in shown_text(app)
        observer = Observation(context.log, interview.session.id, live.token, "ada")
        await wait_for(pilot, lambda: "watched by ada · Part 1 of 1" in shown_text(app), "the observer to be told")
        observer.ask(HOSTILE)
        await pilot.press(*"word1", "enter")
        await wait_for(pilot, lambda: "Interviewer · observer" in shown_text(app), "the question")
        await settled(pilot, screen)
        assert "[red]x[/] [@click=app.quit]y[/] **z** <b>b</b> [31mq" in shown_text(app)
        observer.leave()
        await wait_for(pilot, lambda: f"live, token {live.token}" in shown_text(app), "nobody to be there")


async def test_code_is_seen_as_it_is_typed_and_a_question_comes_without_a_key(context: AppContext) -> None:
    interview = interview_of(context, tasks=("gae",))
    interview.go_live()
    assert interview.live
    app = open_app(context, interview)
    async with app.run_test(size=WIDE) as pilot:
        screen = await stage_of(pilot)
        await settled(pilot, screen)
        observer = Observation(context.log, interview.session.id, interview.live.token, "ada")
        observer.poll()
        await pilot.press("x", "y")
        as_typed = f"xy{STARTER}"
        await wait_for(pilot, lambda: any(draft.text == as_typed for draft in observer.drafts()), "the code as typed")
        observer.ask("Why from the left?")
        await wait_for(pilot, lambda: "Why from the left?" in shown_text(app), "the question")
        assert interview.session.transcript[-1].move is MoveKind.OBSERVER
        assert "xy" in shown_text(app)


async def test_a_session_is_live_only_once_the_candidate_says_so(context: AppContext) -> None:
    interview = interview_of(context, questions=("clipping",))
    app = open_app(context, interview)
    async with app.run_test(size=NARROW, notifications=True) as pilot:
        await settled(pilot, await stage_of(pilot))
        assert "token" not in shown_text(app)
        await pilot.press("f10")
        live = interview.live
        assert live
        await wait_for(pilot, lambda: "interviewer observe" in shown_text(app), "the invitation")
        assert f"live, token {live.token}" in shown_text(app)
        await pilot.press("f10")
        await wait_for(pilot, lambda: "Close it" in shown_text(app), "the dialog")
        assert live.invitation in shown_text(app)
        await pilot.press("1")
        assert interview.live is live
        assert context.log.notes.session_of(live.token) == interview.session.id
        observer = join(context.log, None, live.token, "Ada")
        await pilot.press("f10")
        await wait_for(pilot, lambda: "Close it" in shown_text(app), "the dialog")
        await pilot.press("2")
        await wait_for(pilot, lambda: "live, token" not in shown_text(app), "a line without the token")
        assert interview.live is None
        with pytest.raises(NotAdmitted):
            observer.ask("Still there?")
        with pytest.raises(NotAdmitted):
            join(context.log, None, live.token, "Eve")
