"""ctrl+f finds words in the code while they are typed, leaves the code unchanged, and returns the focus to it."""

from __future__ import annotations

import pytest
from textual.app import App, ComposeResult
from textual.containers import Vertical

from interviewer.interview.context import AppContext
from interviewer.tui.widgets.code_editor import CodeEditor, FindLine
from interviewer.tui.widgets.lists import LineInput
from tests.tui.conftest import NARROW, interview_of, open_app, shown_text, stage_of, wait_for

pytestmark = pytest.mark.slow

CODE = "import torch\n\ndef loss(logp, Ratio):\n    ratio = Ratio * 2\n    return ratio.mean()\n"


class OneEditor(App[None]):
    """Show the editor and nothing else."""

    def compose(self) -> ComposeResult:
        """Yield the editor in the same kind of container as in the app."""
        with Vertical():
            yield CodeEditor()


@pytest.mark.expectation(number=35)
async def test_words_are_found_while_they_are_typed_forward_backward_and_around() -> None:
    app = OneEditor()
    async with app.run_test(size=(80, 20)) as pilot:
        editor = app.query_one(CodeEditor)
        editor.text = CODE
        editor.focus()
        await pilot.press("ctrl+f", *"ratio")
        line = app.query_one(FindLine)
        places = [(2, 15), (3, 4), (3, 12), (4, 11)]
        assert (editor.selection.start, line.border_title) == (places[0], "Find · 1 of 4")
        for place in [*places[1:], places[0]]:
            await pilot.press("enter")
            assert editor.selection.start == place
        for place in reversed(places):
            await pilot.press("up")
            assert editor.selection.start == place
        await pilot.press("ctrl+u", *"Ratio")
        assert line.border_title == "Find · 1 of 2"  # a capital letter makes the search case-sensitive
        await pilot.press(*"n.")
        assert line.border_title == "Find · 0 of 0"
        await pilot.press("escape")
        await pilot.pause()
        assert app.focused is editor
        assert not app.query(FindLine)
        assert editor.text == CODE


async def test_the_search_begins_at_the_cursor_with_what_is_selected() -> None:
    app = OneEditor()
    async with app.run_test(size=(80, 20)) as pilot:
        editor = app.query_one(CodeEditor)
        editor.text = CODE
        editor.focus()
        editor.move_cursor((3, 12))
        await pilot.press(*["shift+right"] * 5, "ctrl+f")
        assert app.query_one(FindLine).value == "Ratio"
        await pilot.press("enter")
        assert editor.selection.start == (2, 15)


async def test_a_narrow_screen_stays_on_the_code_and_escape_does_not_leave_the_session(context: AppContext) -> None:
    app = open_app(context, interview_of(context, tasks=("gae",)))
    async with app.run_test(size=NARROW) as pilot:
        screen = await stage_of(pilot)
        await wait_for(pilot, lambda: screen.has_class("-task"), "the task")
        await pilot.press("f3", "ctrl+f", *"def")
        assert screen.has_class("-on-code")
        assert screen.query_one(CodeEditor).selected_text == "def"
        await pilot.press("escape")
        await pilot.pause()
        assert app.screen is screen
        assert screen.focused is screen.query_one(CodeEditor)
        await pilot.press("ctrl+f", "f4")
        await wait_for(pilot, lambda: not screen.query(FindLine), "the search to end")
        assert screen.focused is not None


@pytest.mark.expectation(number=35)
async def test_matches_are_replaced_one_by_one_and_all_at_once_and_undone() -> None:
    app = OneEditor()
    async with app.run_test(size=(80, 20), notifications=True) as pilot:
        editor = app.query_one(CodeEditor)
        editor.text = CODE
        editor.focus()
        await pilot.press("ctrl+f", *"ratio", "tab", *"r", "enter")
        assert editor.text == CODE.replace("logp, Ratio", "logp, r")
        assert editor.selected_text == "ratio"
        await pilot.press("enter")
        assert editor.text == CODE.replace("logp, Ratio", "logp, r").replace("    ratio", "    r")
        await pilot.press("tab", "enter")
        await pilot.pause()
        assert editor.text == CODE.replace("Ratio", "r").replace("ratio", "r")
        await pilot.press("escape")
        await pilot.pause()
        assert app.focused is editor
        assert not app.query(LineInput)
        await pilot.press("ctrl+z")
        assert editor.text == CODE.replace("logp, Ratio", "logp, r").replace("    ratio", "    r")
        await pilot.press("ctrl+y", "f7", "x")
        assert editor.text == "x"


async def test_replacing_text_that_contains_itself_goes_on_behind_it() -> None:
    app = OneEditor()
    async with app.run_test(size=(80, 20)) as pilot:
        editor = app.query_one(CodeEditor)
        editor.text = "a a\na"
        editor.focus()
        await pilot.press("ctrl+f", "a", "tab", *"aa", "enter", "enter", "enter")
        assert editor.text == "aa aa\naa"


async def test_a_line_is_gone_to_by_its_number() -> None:
    app = OneEditor()
    async with app.run_test(size=(80, 20)) as pilot:
        editor = app.query_one(CodeEditor)
        editor.text = "".join(f"line{number}\n" for number in range(1, 301))
        editor.focus()
        await pilot.press("ctrl+g", *"250")
        assert "line250" in shown_text(app)
        await pilot.press("enter", "x")
        assert editor.text.split("\n")[249] == "xline250"
        await pilot.press("ctrl+g", *"9999", "escape")
        await pilot.pause()
        assert editor.cursor_location == (249, 1)
        await pilot.press("ctrl+g", *"99999", "enter")
        await pilot.pause()
        assert editor.cursor_location[0] == 300
        # One input line at a time below the code.
        await pilot.press("ctrl+f", "a")
        await pilot.press("escape", "ctrl+g")
        await pilot.pause()
        assert len(app.query(LineInput)) == 1


async def test_f1_names_the_keys_of_the_editor(context: AppContext) -> None:
    app = open_app(context, interview_of(context, tasks=("gae",)))
    async with app.run_test(size=(80, 60)) as pilot:
        await stage_of(pilot)
        await pilot.press("f3", "f1", *["pagedown"] * 2)
        for words in ("Find and replace", "Go to line", "Select all", "Undo", "Redo"):
            await wait_for(pilot, lambda words=words: words in shown_text(app), words)  # type: ignore[misc]
