"""A key means the same on every screen and in every field, and the keys do what the page says."""

from __future__ import annotations

import pytest
from textual.binding import Binding
from textual.dom import DOMNode

from interviewer.interview.context import AppContext
from interviewer.interview.sessions import new_challenge
from interviewer.tui.bindings import FOCUS_KEYS
from interviewer.tui.keys_reference import meanings, places
from interviewer.tui.screens.dialogs import keys_of
from interviewer.tui.screens.home import HomeScreen
from interviewer.tui.screens.interview import InterviewScreen
from interviewer.tui.widgets.answer_box import AnswerBox
from interviewer.tui.widgets.code_editor import CodeEditor
from interviewer.tui.widgets.status import Clock
from tests.tui.conftest import NARROW, WIDE, interview_of, open_app, shown_text, stage_of, wait_for


def test_no_key_has_two_meanings() -> None:
    found = meanings()
    assert len(found) > 80
    assert {"f7", "ctrl+s", "escape", "c", "1-9"} <= set(found)
    twice = {key: sorted(uses) for key, uses in found.items() if len(uses) > 1 and key not in FOCUS_KEYS}
    assert twice == {}


@pytest.mark.parametrize("place", places(), ids=lambda place: place.__name__)
def test_no_place_binds_a_key_twice_in_its_own_table(place: type[DOMNode]) -> None:
    own = [binding for binding in place.__dict__.get("BINDINGS", ()) if isinstance(binding, Binding)]
    # Bindings with a name are alternatives, only one of which is possible at a time.
    keys = [key for binding in own if not binding.id for key in binding.key.split(",")]
    assert sorted(keys) == sorted(set(keys))


def test_tab_moves_the_focus_except_in_code_that_can_be_edited() -> None:
    focus = {("everywhere", ""), ("Command palette", "")}
    for key, moves, indents in (("tab", "Focus Next", "Indent"), ("shift+tab", "Focus Previous", "Unindent")):
        uses = meanings()[key]
        assert uses.pop(indents) == [("Code editor", "")]
        assert list(uses) == [moves]
        assert set(uses[moves]) <= focus


@pytest.mark.parametrize("size", [WIDE, NARROW])
@pytest.mark.parametrize("screen_kind", ["interview", "challenge"])
async def test_another_views_key_leaves_the_editor_and_tab_then_moves_the_focus(
    context: AppContext, screen_kind: str, size: tuple[int, int]
) -> None:
    is_challenge = screen_kind == "challenge"
    started = new_challenge(context, ["gae"], 20) if is_challenge else interview_of(context, tasks=("gae",))
    app = open_app(context, started)
    async with app.run_test(size=size) as pilot:
        await wait_for(pilot, lambda: bool(app.screen.query(CodeEditor)), "the editor")
        for key in ("f2", "f6") if is_challenge else ("f2", "f4"):
            await pilot.press("f3", "tab", "shift+tab")
            await wait_for(pilot, lambda: isinstance(app.focused, CodeEditor), "the focus in the code")
            listed = {row[1] for _, rows in keys_of(app.screen) for row in rows}
            assert {"Indent", "Unindent"} <= listed
            assert not {"Focus Next", "Focus Previous"} & listed
            await pilot.press(key)
            await wait_for(pilot, lambda: not isinstance(app.focused, CodeEditor), f"{key} to leave the code")


def test_only_movement_enter_and_tab_depend_on_the_focus() -> None:
    plain = {key for key in FOCUS_KEYS if "+" not in key}
    assert plain == {*"up down left right home end pageup pagedown enter tab".split()}


@pytest.mark.expectation(number=18)
async def test_an_interview_is_ended_with_escape_or_by_name(context: AppContext) -> None:
    app = open_app(context, interview_of(context, questions=("clipping",)))
    async with app.run_test(size=NARROW) as pilot:
        screen = await stage_of(pilot)
        assert "End the interview" in {command.title for command in app.get_system_commands(screen)}
        await pilot.press("ctrl+r")
        await pilot.pause()
        assert app.screen is screen, "ctrl+r shows the solution of a task and does nothing here"
        await pilot.press("escape")
        await wait_for(pilot, lambda: "Leave the interview?" in shown_text(app), "the dialog")
        await pilot.press("3")
        await wait_for(pilot, lambda: screen.interview.session.is_over, "the end")
        await wait_for(pilot, lambda: str(screen.query_one(Clock).content) == "over", "the clock to show no time left")


async def test_f7_selects_all_in_the_answer_and_retracts_nothing(context: AppContext) -> None:
    app = open_app(context, interview_of(context, questions=("clipping",)))
    async with app.run_test(size=NARROW) as pilot:
        screen = await stage_of(pilot)
        await pilot.press(*"word1", "enter")
        await stage_of(pilot)
        assert screen.check_action("take_back", ())
        await pilot.press("f7")
        await pilot.pause()
        assert app.screen is screen
        await pilot.press(*"ab", "f7", "c")
        assert screen.query_one(AnswerBox).text == "c"


async def test_q_never_ends_the_app(context: AppContext) -> None:
    app = open_app(context)
    async with app.run_test(size=NARROW) as pilot:
        await pilot.pause()
        await pilot.press("x")
        await wait_for(pilot, lambda: not isinstance(app.screen, HomeScreen), "the doctor")
        await pilot.press("q", "q", "q")
        await wait_for(pilot, lambda: isinstance(app.screen, HomeScreen), "home")
        assert app.return_code is None


async def test_f1_opens_and_closes_the_list_of_keys(context: AppContext) -> None:
    app = open_app(context, interview_of(context, questions=("clipping",)))
    async with app.run_test(size=NARROW) as pilot:
        screen = await stage_of(pilot)
        await pilot.press("f1")
        await wait_for(pilot, lambda: "Keys on this screen" in shown_text(app), "the keys")
        await pilot.press("f1")
        await wait_for(pilot, lambda: app.screen is screen, "the interview")
        assert isinstance(app.screen, InterviewScreen)
