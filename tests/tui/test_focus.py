"""The focus follows the interviewer's question and is visible without color; no letter goes into code out of view."""

from __future__ import annotations

import pytest
from textual import events
from textual.widget import Widget

from graders.verdict import Verdict
from interviewer.interview.context import AppContext
from interviewer.tui.widgets.answer_box import AnswerBox
from interviewer.tui.widgets.code_editor import CodeEditor
from interviewer.tui.widgets.rubric import PointRow
from tests.tui.conftest import (
    NARROW,
    STARTER,
    WIDE,
    PreparedClient,
    interview_of,
    open_app,
    report,
    shown_text,
    stage_of,
    unloaded,
    wait_for,
)

pytestmark = pytest.mark.slow


def outlined(widget: Widget) -> str:
    """Return the leftmost column and the top row of a widget."""
    region = widget.region
    lines = shown_text(widget.app).split("\n")
    edge = {lines[y][region.x] for y in range(region.y, region.bottom)}
    return "".join(sorted(edge | {*lines[region.y][region.x : region.right]}))


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_after_a_submission_letters_go_to_the_answer(
    context: AppContext, client: PreparedClient, size: tuple[int, int]
) -> None:
    client.reports = [report(Verdict.WRONG_VALUE, mistake=True)]
    client.gate.clear()
    app = open_app(context, interview_of(context, tasks=("gae",)))
    async with app.run_test(size=size) as pilot:
        screen = await stage_of(pilot)
        await pilot.press("f3", "x", "ctrl+s", *"it is ")
        client.gate.set()
        await stage_of(pilot)
        await pilot.press(*"wrong")
        assert screen.query_one(AnswerBox).text == "it is wrong"
        assert screen.query_one(CodeEditor).text == "x" + STARTER
        assert client.sources == ["x" + STARTER]


@pytest.mark.parametrize(
    ("size", "view", "verdict"),
    [
        (WIDE, "f2", Verdict.PASSED),
        (WIDE, "f3", Verdict.WRONG_VALUE),
        (WIDE, "f4", Verdict.PASSED),
        (NARROW, "f2", Verdict.WRONG_VALUE),
        (NARROW, "f3", Verdict.PASSED),
        (NARROW, "f4", Verdict.WRONG_VALUE),
    ],
)
async def test_a_view_that_was_opened_during_a_grade_gives_the_focus_to_the_question(
    context: AppContext, client: PreparedClient, size: tuple[int, int], view: str, verdict: Verdict
) -> None:
    client.reports = [report(verdict, mistake=verdict is Verdict.WRONG_VALUE)]
    client.gate.clear()
    app = open_app(context, interview_of(context, tasks=("gae",)))
    async with app.run_test(size=size) as pilot:
        screen = await stage_of(pilot)
        await pilot.press("f3", "x", "ctrl+s", view)
        client.gate.set()
        await stage_of(pilot)
        assert screen.query_one(AnswerBox).has_focus
        await pilot.press(*"it is")
        assert screen.query_one(AnswerBox).text == "it is"
        assert screen.query_one(CodeEditor).text == "x" + STARTER
        # The focus moves only once: the candidate can return to the code.
        await pilot.press("f3")
        await pilot.pause(0.1)
        assert screen.query_one(CodeEditor).has_focus


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_a_hint_that_replaces_the_statement_leaves_the_focus_somewhere(
    context: AppContext, size: tuple[int, int]
) -> None:
    app = open_app(context, interview_of(context, tasks=("gae",)))
    async with app.run_test(size=size) as pilot:
        screen = await stage_of(pilot)
        await pilot.press("f2", "f8")
        await stage_of(pilot)
        assert screen.focused is screen.query_one(AnswerBox)


async def test_letters_that_arrive_together_with_ctrl_s_go_to_the_answer(
    context: AppContext, client: PreparedClient
) -> None:
    """A slow connection delivers several keys at once; `pilot.press` waits after each one."""
    client.reports = [report(Verdict.WRONG_VALUE, mistake=True)]
    app = open_app(context, interview_of(context, tasks=("gae",)))
    async with app.run_test(size=NARROW) as pilot:
        screen = await stage_of(pilot)
        await pilot.press("f3", "x")
        app.post_message(events.Key("ctrl+s", None))
        for letter in "it":
            app.post_message(events.Key(letter, letter))
        await stage_of(pilot)
        assert screen.query_one(CodeEditor).text == "x" + STARTER
        assert client.sources == ["x" + STARTER]
        assert screen.query_one(AnswerBox).text == "it"


async def test_letters_typed_while_the_marks_open_mark_nothing(
    context: AppContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("interviewer.tui.typing_guard.OPEN_SECONDS", 600.0)
    app = open_app(context, interview_of(context, questions=("clipping",)))
    async with app.run_test(size=NARROW) as pilot:
        screen = await stage_of(pilot)
        await pilot.press(*"word1 matters", "enter")
        await stage_of(pilot)
        await pilot.press("s", "o", "space", "f9", "2")
        await wait_for(pilot, lambda: bool(screen.query(PointRow)), "the marks")
        await pilot.press(*"a cat", "enter", "space")
        await pilot.pause()
        assert app.screen is screen
        assert [row.is_ticked for row in screen.query(PointRow)] == [True, False, False, False]
        assert screen.answer_box.text == "so a cat "
        # An arrow key is no text, so the candidate has seen the marks.
        await pilot.press("down", "space")
        await pilot.pause()
        assert [row.is_ticked for row in screen.query(PointRow)] == [True, True, False, False]


async def test_when_nothing_is_asked_the_focus_goes_back_to_code_in_view(
    context: AppContext, client: PreparedClient
) -> None:
    client.reports = [unloaded(), unloaded()]
    app = open_app(context, interview_of(context, tasks=("gae",)))
    async with app.run_test(size=WIDE) as pilot:
        screen = await stage_of(pilot)
        await pilot.press("f3", "x", "ctrl+s")
        await stage_of(pilot)
        assert screen.focused is screen.query_one(CodeEditor)
        # An answer that was begun in the answer box is not split.
        client.gate.clear()
        await pilot.press("ctrl+s", "a")
        client.gate.set()
        await stage_of(pilot)
        await pilot.press("b")
        assert screen.query_one(AnswerBox).text == "ab"


@pytest.mark.parametrize("locale", ["C.UTF-8", "C"])
async def test_the_focus_is_seen_without_color(
    context: AppContext, locale: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", locale)
    monkeypatch.setenv("NO_COLOR", "1")
    heavy = {"C.UTF-8": "┃", "C": "#"}[locale]
    app = open_app(context, interview_of(context, tasks=("gae",)))
    async with app.run_test(size=WIDE) as pilot:
        screen = await stage_of(pilot)
        boxes = {
            "f2": screen.query_one("#statement"),
            "f3": screen.query_one("#code"),
            "f4": screen.query_one("#answer"),
        }
        for key, box in boxes.items():
            await pilot.press(key)
            await pilot.pause()
            assert screen.focused is box
            assert heavy in outlined(box), key
            others = [other for other in boxes.values() if other is not box and other.region.width]
            assert others
            assert not any(heavy in outlined(other) for other in others), key


async def test_no_letter_is_typed_under_the_message_about_the_size(context: AppContext) -> None:
    app = open_app(context, interview_of(context, tasks=("gae",)))
    async with app.run_test(size=WIDE) as pilot:
        screen = await stage_of(pilot)
        await pilot.press("f3", "a")
        await pilot.resize_terminal(60, 14)
        await wait_for(pilot, lambda: "Enlarge this window" in shown_text(app), "the message")
        await pilot.press(*"unseen")
        app.post_message(events.Paste("unseen"))
        await pilot.resize_terminal(*WIDE)
        await pilot.press("b")
        assert screen.query_one(CodeEditor).text == "ab" + STARTER
