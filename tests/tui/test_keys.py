"""docs/keys.md matches the bindings, and no action needs a key that only new terminals send."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.binding import Binding
from textual.dom import DOMNode
from textual.screen import Screen

from interviewer.interview.context import AppContext
from interviewer.tui.app_base import BaseApp
from interviewer.tui.bindings import named_bindings, old_terminals_send
from interviewer.tui.keys_reference import keys_text, places, rows_of
from interviewer.tui.screens.challenge import ChallengeScreen
from interviewer.tui.screens.dialogs import keys_of
from interviewer.tui.screens.home import HomeScreen
from interviewer.tui.screens.interview import InterviewScreen
from interviewer.tui.widgets.answer_box import AnswerBox
from interviewer.tui.widgets.code_editor import CodeEditor
from tests.tui.conftest import NARROW, interview_of, open_app, shown_text, stage_of, wait_for

FILE = Path(__file__).parents[2] / "docs" / "keys.md"
FIELDS_OF_A_SESSION = (AnswerBox, CodeEditor)


@pytest.mark.expectation(number=17)
@pytest.mark.expectation(number=73)
def test_the_document_is_the_generated_one() -> None:
    """If it is out of date, run: python -m interviewer.tui.keys_reference > docs/keys.md."""
    assert FILE.read_text(encoding="utf-8") == keys_text()


def test_the_document_has_every_screen_and_every_name() -> None:
    assert {BaseApp, HomeScreen, InterviewScreen, ChallengeScreen, AnswerBox, CodeEditor} <= set(places())
    text = keys_text()
    assert [binding.id for binding in named_bindings() if f"`{binding.id}`" not in text] == []


@pytest.mark.expectation(number=21)
@pytest.mark.parametrize("place", places(), ids=lambda place: place.__name__)
def test_every_action_has_a_key_of_old_terminals(place: type[DOMNode]) -> None:
    taken = set()
    if issubclass(place, FIELDS_OF_A_SESSION):
        # A key that a screen handles first does not reach the field.
        for screen in (InterviewScreen, ChallengeScreen):
            found = screen._merge_bindings().key_to_bindings.items()
            taken |= {key for key, bindings in found if any(binding.priority for binding in bindings)}
    rows = [*rows_of(place), *rows_of(Screen)]
    assert [row.does for row in rows if not any(old_terminals_send(key) for key in row.keys if key not in taken)] == []


def test_which_keys_old_terminals_send() -> None:
    sent = "a f1 f12 shift+tab ctrl+a ctrl+right question_mark escape 1-9"
    not_sent = "ctrl+shift+k ctrl+1 ctrl+slash super+c alt+x f13 ctrl+i ctrl+m ctrl+f5 ctrl+shift+left alt+enter"
    assert [key for key in sent.split() if not old_terminals_send(key)] == []
    assert [key for key in not_sent.split() if old_terminals_send(key)] == []


@pytest.mark.expectation(number=21)
async def test_the_second_keys_work_in_answer_and_code(context: AppContext) -> None:
    app = open_app(context, interview_of(context, tasks=("gae",)))
    async with app.run_test(size=NARROW) as pilot:
        screen = await stage_of(pilot)
        for key, field in (("f4", AnswerBox), ("f3", CodeEditor)):
            await pilot.press(key)
            area = screen.query_one(field)
            area.text = "one two\nthree"
            area.move_cursor((0, 7))
            await pilot.press("ctrl+b", "x")
            assert area.text == "one x\nthree"
            await pilot.press("home", "shift+delete", "down", "ctrl+l")
            assert area.text == " x\n"
            await pilot.press("f7", "y")
            assert area.text == "y"


@pytest.mark.expectation(number=17)
async def test_help_names_the_keys_that_a_field_takes_like_letters(context: AppContext) -> None:
    app = open_app(context, interview_of(context, questions=("clipping",)))
    async with app.run_test(size=(80, 60)) as pilot:
        await stage_of(pilot)
        await pilot.press("f1", *["pagedown"] * 4)
        await wait_for(pilot, lambda: "ctrl+j, alt+enter New line" in shown_text(app), "the keys of the answer box")
        assert "enter             Send" in shown_text(app)


async def test_help_lists_the_keys_in_the_order_of_the_document(context: AppContext) -> None:
    documented = [line.split(" | ")[1] for line in keys_text().splitlines() if line.startswith("| `")]
    app = open_app(context, interview_of(context, questions=("clipping",)))
    async with app.run_test(size=NARROW) as pilot:
        await stage_of(pilot)
        groups = dict(keys_of(app.screen))
        assert list(groups) == ["Here", "Everywhere", "In the focused field"]
        for rows in groups.values():
            # In the document, Up and Down are the home screen's letter keys, so they are left out.
            listed = [does for _, does in rows if does in documented and does not in {"Up", "Down"}]
            assert len(listed) > 1
            assert listed == sorted(listed, key=documented.index)
        # What depends on the focus is not in the table, and comes last.
        assert [does for _, does in groups["Here"]][-2:] == ["Focus Next", "Focus Previous"]
        assert ("^a, home", "Line start") in groups["In the focused field"]


@pytest.mark.parametrize("screen", [InterviewScreen, ChallengeScreen])
def test_no_key_of_a_session_means_two_things_in_the_code_and_beside_it(screen: type[Screen[None]]) -> None:
    in_code = {
        key: binding.action
        for key, bindings in CodeEditor._merge_bindings().key_to_bindings.items()
        for binding in bindings
    }
    own = [binding for binding in screen.BINDINGS if isinstance(binding, Binding) and not binding.priority]
    assert [binding.key for binding in own if in_code.get(binding.key, binding.action) != binding.action] == []
