"""The app stays responsive: gaps in the event loop during grading and streaming, and very large pastes."""

from __future__ import annotations

import asyncio
import gc
import statistics
import time
from collections.abc import Awaitable, Callable

import pytest
from textual import events
from textual.pilot import Pilot

from graders.verdict import Verdict
from interviewer.interview.context import AppContext
from interviewer.session.move import MoveKind
from interviewer.tui.widgets.answer_box import AnswerBox
from interviewer.tui.widgets.code_editor import CodeEditor
from interviewer.tui.widgets.transcript import Transcript
from tests.tui.conftest import (
    NARROW,
    WIDE,
    PreparedClient,
    interview_of,
    open_app,
    report,
    settled,
    shown_text,
    stage_of,
    wait_for,
)

TICK_SECONDS = 0.005
MEDIAN_MAX_SECONDS = 0.05
# Ten times the duration of one turn of the loop.
LONGEST_MAX_SECONDS = 0.5
# Whatever blocks the loop blocks it in every attempt.
TRIES = 3


async def gaps_seconds(work: Awaitable[None]) -> list[float]:
    """Return the CPU time that this thread used between short sleeps until the work was done."""
    gaps: list[float] = []
    task = asyncio.ensure_future(work)
    while not task.done():
        began = time.thread_time()
        await asyncio.sleep(TICK_SECONDS)
        gaps.append(time.thread_time() - began)
    await task
    return gaps


async def assert_awake(work: Callable[[], Awaitable[None]]) -> None:
    """Fail if the event loop is blocked in every attempt while the work is done.

    It measures the CPU time of the loop's own thread, so other processes on the same cores do not matter.
    """
    gc.collect()
    gc.freeze()  # keep the app's garbage collector from scanning what earlier tests left in memory
    try:
        for _ in range(TRIES):
            late = await gaps_seconds(work())
            median, most, longest = statistics.median(late), statistics.quantiles(late, n=20)[-1], max(late)
            if median < MEDIAN_MAX_SECONDS and most < LONGEST_MAX_SECONDS / 2 and longest < LONGEST_MAX_SECONDS:
                return
    finally:
        gc.unfreeze()
    raise AssertionError(f"late by {median:.3f} s (median), {most:.3f} s (95 %), {longest:.3f} s (longest)")


async def typing(pilot: Pilot[None], keys: str) -> None:
    for key in keys:
        pilot.app.post_message(events.Key(key, key))
        await asyncio.sleep(0.05)


@pytest.mark.slow
async def test_the_loop_stays_awake_while_code_is_graded(context: AppContext, client: PreparedClient) -> None:
    client.gate.clear()
    client.reports = [report(Verdict.PASSED)]
    app = open_app(context, interview_of(context, tasks=("gae",)))
    async with app.run_test(size=WIDE) as pilot:
        screen = await stage_of(pilot)
        await pilot.press("ctrl+s")
        await wait_for(pilot, lambda: "The grader is running your code" in shown_text(app), "the grade")
        await assert_awake(lambda: typing(pilot, "meanwhile"))
        assert screen.query_one(AnswerBox).text == "meanwhile"
        client.gate.set()
        await settled(pilot, screen)


@pytest.mark.slow
@pytest.mark.expectation(number=25)
async def test_the_loop_stays_awake_while_words_stream(context: AppContext) -> None:
    app = open_app(context, interview_of(context, questions=("clipping",)))
    async with app.run_test(size=NARROW) as pilot:
        screen = await stage_of(pilot)
        transcript = screen.query_one(Transcript)
        await transcript.begin(MoveKind.PROBE)

        async def words() -> None:
            for number in range(400):
                transcript.write(f"word{number} " + "\n\n" * (number % 20 == 0))
                await asyncio.sleep(0.005)

        async def typing_into_words() -> None:
            await asyncio.gather(typing(pilot, "typed"), words())

        await assert_awake(typing_into_words)
        await transcript.end()
        assert screen.query_one(AnswerBox).text.startswith("typed")
        await wait_for(pilot, lambda: "word399" in shown_text(app), "the last word")


@pytest.mark.slow
async def test_ten_thousand_lines_can_be_pasted_and_edited(context: AppContext) -> None:
    app = open_app(context, interview_of(context, tasks=("gae",)))
    async with app.run_test(size=WIDE) as pilot:
        screen = await stage_of(pilot)
        editor = screen.query_one(CodeEditor)
        app.post_message(events.Paste("".join(f"value_{line} = {line}\n" for line in range(10_000))))
        await wait_for(pilot, lambda: editor.document.line_count > 10_000, "the lines", seconds=30)
        await pilot.press("x")
        assert editor.document.get_line(editor.cursor_location[0]).startswith("x")
        await pilot.press("y")
        assert editor.document.get_line(editor.cursor_location[0]).startswith("xy")
