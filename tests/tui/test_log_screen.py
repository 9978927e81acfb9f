"""The log screen: every move, search, overview, and a damaged log that the home screen reports."""

from __future__ import annotations

import pytest

from graders.verdict import Verdict
from interviewer.interview.context import AppContext
from interviewer.tui.screens.debrief import DebriefScreen
from interviewer.tui.screens.log import LogScreen
from interviewer.tui.screens.pick import PickScreen
from interviewer.tui.screens.reading import ReadingScreen
from interviewer.tui.widgets.lists import SessionTable
from tests.fakes import RecordingFrontend
from tests.tui.conftest import NARROW, WIDE, PreparedClient, interview_of, open_app, report, shown_text, wait_for


def past_session(context: AppContext, client: PreparedClient) -> str:
    """Log one finished session with an answer and a submission; return its id."""
    client.reports = [report(Verdict.PASSED)]
    interview, front = interview_of(context, questions=("clipping",), tasks=("gae",)), RecordingFrontend()
    interview.run_until_input(front)
    interview.answer("It matters for word1, with a peculiar remark.")
    interview.run_until_input(front)
    interview.skip()
    interview.run_until_input(front)
    interview.mark(())
    interview.run_until_input(front)
    interview.submit("peculiar = 1\n")
    interview.run_until_input(front)
    interview.skip()
    interview.run_until_input(front)
    assert interview.session.is_over
    return interview.session.id


@pytest.mark.expectation(number=54)
async def test_every_move_of_a_session_can_be_read(context: AppContext, client: PreparedClient) -> None:
    past_session(context, client)
    app = open_app(context)
    async with app.run_test(size=NARROW) as pilot:
        await pilot.press("l")
        await wait_for(pilot, lambda: "finished" in shown_text(app), "the session")
        await pilot.press("h")
        await wait_for(pilot, lambda: isinstance(app.screen, ReadingScreen), "the moves")
        await wait_for(pilot, lambda: "You: It matters for word1" in shown_text(app), "the answer")
        await pilot.press("c")
        assert "You submitted:\npeculiar = 1" in app.clipboard
        await pilot.press("escape")
        await wait_for(pilot, lambda: isinstance(app.screen, LogScreen), "the log")


@pytest.mark.slow
@pytest.mark.expectation(number=54)
async def test_words_are_found_and_lead_to_their_session(context: AppContext, client: PreparedClient) -> None:
    past_session(context, client)
    app = open_app(context)
    async with app.run_test(size=NARROW, notifications=True) as pilot:
        await pilot.press("l", "slash", *"peculiar", "enter")
        await wait_for(pilot, lambda: isinstance(app.screen, PickScreen), "the places")
        await wait_for(pilot, lambda: "said · clipping" in shown_text(app), "the answer")
        assert "code · Advantages" in shown_text(app)
        assert "with a peculiar remark" in shown_text(app)
        await pilot.press("enter")
        await wait_for(pilot, lambda: isinstance(app.screen, DebriefScreen), "the debrief")
        await pilot.press("escape")
        await wait_for(pilot, lambda: isinstance(app.screen, LogScreen), "the log")
        await pilot.press("slash", *"nowhere", "enter")
        await wait_for(pilot, lambda: "No matches for" in shown_text(app), "the remark")


async def test_the_preview_of_a_match_shows_the_exact_text(context: AppContext) -> None:
    interview = interview_of(context, questions=("clipping",))
    interview.run_until_input(RecordingFrontend())
    interview.answer("# needle *x* $a_1$ `b` \x1b]0;owned\x07")
    app = open_app(context)
    async with app.run_test(size=WIDE) as pilot:
        await pilot.press("l", "slash", *"needle", "enter")
        await wait_for(pilot, lambda: isinstance(app.screen, PickScreen), "the places")
        exact = "# needle *x* $a_1$ `b` \ufffd]0;owned\ufffd"
        # Once in the list and once in the preview.
        await wait_for(pilot, lambda: shown_text(app).count(exact) == 2, "the answer")
        assert "\x1b" not in shown_text(app)


@pytest.mark.slow
@pytest.mark.expectation(number=54)
async def test_the_list_says_what_came_of_a_session_and_can_be_narrowed(
    context: AppContext, client: PreparedClient
) -> None:
    past_session(context, client)
    interview_of(context, questions=("entropy",))
    app = open_app(context)
    async with app.run_test(size=WIDE) as pilot:
        await pilot.press("l")
        await wait_for(pilot, lambda: "Advantages: passed" in shown_text(app), "what came of it")
        assert "entropy: not answered" in shown_text(app)
        table = app.screen.query_one(SessionTable)
        for words, rows in (("PASSED", 1), ("open entropy", 1), ("advantage", 1), ("nowhere", 0), ("", 2)):
            await pilot.press("f", "ctrl+u", *words, "enter")
            await wait_for(pilot, lambda: isinstance(app.screen, LogScreen), "the log")
            assert (words, table.row_count) == (words, rows)
            assert ("filter:" in shown_text(app)) == bool(words)
            assert ("No matching sessions" in shown_text(app)) == (rows == 0)


async def test_a_narrow_screen_shows_whole_results(context: AppContext, client: PreparedClient) -> None:
    past_session(context, client)
    app = open_app(context)
    async with app.run_test(size=NARROW) as pilot:
        await pilot.press("l")
        await wait_for(pilot, lambda: "Advantages: passed" in shown_text(app), "what came of it")
        heads = next(line for line in shown_text(app).splitlines() if "Started" in line)
        rows = [line for line in shown_text(app).splitlines() if "clipping" in line or "Advantages" in line]
        results = [line[heads.index("Result") : heads.index("Examiner")].strip() for line in rows]
        assert results == ["clipping: not enough evidence:", "1–4; Advantages: passed"]
        assert rows[0].split()[-1] == "offline"
        await pilot.resize_terminal(*WIDE)
        whole = "clipping: not enough evidence: 1–4; Advantages: passed"
        await wait_for(pilot, lambda: whole in shown_text(app), "the result in one line")


async def test_the_overview_adds_up_what_was_practiced(context: AppContext, client: PreparedClient) -> None:
    past_session(context, client)
    app = open_app(context)
    async with app.run_test(size=NARROW) as pilot:
        await pilot.press("l", "o")
        await wait_for(pilot, lambda: "1 session" in shown_text(app), "the counts")
        assert "1 submission" in shown_text(app)


async def test_a_damaged_log_is_told_at_home(context: AppContext) -> None:
    context.folders.log_file.parent.mkdir(parents=True)
    context.folders.log_file.write_bytes(b"no database at all" * 100)
    app = open_app(context)
    async with app.run_test(size=NARROW, notifications=True) as pilot:
        await wait_for(pilot, lambda: "The practice log" in shown_text(app), "the notice")
        assert context.log.notices
