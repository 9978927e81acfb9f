"""The named key bindings of the session screens, and checks of the user's own keys. Imports no screen."""

from __future__ import annotations

import difflib
from collections.abc import Mapping

from textual.binding import Binding, BindingType

# Bindings on every screen.
EVERYWHERE: list[BindingType] = [
    Binding("f1", "keys", "Keys", id="keys"),
    Binding("question_mark", "keys", "Keys", show=False),
    Binding("ctrl+g", "raw", "Toggle rendered formulas and TeX source", show=False, id="raw"),
    Binding("ctrl+q", "quit", "Quit", priority=True, show=False, id="quit"),
]
INTERVIEW: list[BindingType] = [
    # The binding has priority, so that letters typed after the key go to the newly focused widget.
    Binding("f2", "view('statement')", "Statement", show=False, priority=True, id="interview.statement"),
    Binding("f3", "view('code')", "Code", show=False, priority=True, id="interview.code"),
    Binding("f4", "view('talk')", "Talk", show=False, priority=True, id="interview.talk"),
    Binding("ctrl+o", "edit_outside", "Open in $EDITOR", show=False, id="interview.editor"),
    Binding("f12", "copy", "Copy code or transcript", show=False, id="interview.copy"),
    Binding("ctrl+s", "submit", "Submit", id="interview.submit"),
    Binding("ctrl+s", "confirm", "Confirm", id="interview.submit"),
    Binding("ctrl+s", "open_debrief", "Debrief", id="interview.submit"),
    Binding("ctrl+t", "reference", "Reference", id="interview.reference"),
    Binding("f8", "hint", "Hint", id="interview.hint"),
    Binding("f9", "skip", "Skip", id="interview.skip"),
    # The binding has priority, because f7 selects all text in the answer box; the box is empty whenever this action is
    # available.
    Binding("f7", "take_back", "Retract", id="interview.take_back", priority=True),
    Binding("escape", "back", "Leave", id="interview.back"),
    Binding("f5", "go_live", "Allow an observer to join", show=False, id="interview.live"),
    Binding("ctrl+r", "end", "End", show=False, id="interview.end"),
]
CHALLENGE: list[BindingType] = [
    Binding("f2", "view('statement')", "Statement", show=False, priority=True, id="challenge.statement"),
    Binding("f3", "view('code')", "Code", show=False, priority=True, id="challenge.code"),
    Binding("f4", "view('attempts')", "Attempts", show=False, priority=True, id="challenge.attempts"),
    Binding("ctrl+o", "edit_outside", "Open in $EDITOR", show=False, id="challenge.editor"),
    Binding("f12", "copy_code", "Copy the code", show=False, id="challenge.copy"),
    Binding("ctrl+t", "reset", "Reset to starter code", show=False, id="challenge.reset"),
    Binding("ctrl+t", "reference", "Side by side", id="challenge.reset"),
    Binding("ctrl+s", "submit", "Submit", id="challenge.submit"),
    Binding("ctrl+s", "open_debrief", "Debrief", id="challenge.submit"),
    Binding("f5", "pause", "Pause", priority=True, id="challenge.pause"),
    Binding("f8", "hint", "Hint", id="challenge.hint"),
    Binding("f9", "give_up", "Give up", id="challenge.give_up"),
    Binding("ctrl+r", "solution", "Solution", id="challenge.solution"),
    Binding("escape", "back", "Leave", id="challenge.back"),
    Binding("f7", "end", "End", show=False, priority=True, id="challenge.end"),
]
OBSERVER: list[BindingType] = [
    Binding("f2", "view('talk')", "Talk", show=False, priority=True, id="observer.talk"),
    Binding("f3", "view('code')", "Code", show=False, priority=True, id="observer.code"),
    Binding("f4", "view('rubric')", "Rubric", show=False, priority=True, id="observer.rubric"),
    Binding("f6", "turn(-1)", "Previous question", id="observer.before"),
    Binding("f7", "turn(1)", "Next question", id="observer.after"),
    Binding("f9", "rejoin", "New token", show=False, id="observer.token"),
    Binding("ctrl+s", "debrief", "Debrief", id="observer.debrief"),
    Binding("escape", "back", "Leave", id="observer.back"),
]
# Alternative keys for actions that Textual only binds to chords that old terminals cannot send. Textual's keys stay.
LONG_TEXT_KEYS: list[BindingType] = [
    Binding("ctrl+b", "cursor_word_left(True)", "Select one word left", show=False),
    Binding("ctrl+n", "cursor_word_right(True)", "Select one word right", show=False),
    Binding("ctrl+l", "delete_line", "Delete line", show=False),
    Binding("shift+delete", "delete_word_right", "Delete word right", show=False),
    # In an interview, f7 retracts an answer.
    Binding("f10", "select_all", "Select all", show=False),
]
LINE_KEYS: list[BindingType] = [
    Binding("ctrl+b", "cursor_left_word(True)", "Select one word left", show=False),
    Binding("ctrl+n", "cursor_right_word(True)", "Select one word right", show=False),
    Binding("f7", "select_all", "Select all", show=False),
    Binding("shift+delete", "delete_right_word", "Delete word right", show=False),
]


def named_bindings() -> list[Binding]:
    """Return every binding whose key can be changed."""
    tables = (EVERYWHERE, INTERVIEW, CHALLENGE, OBSERVER)
    return [binding for table in tables for binding in table if isinstance(binding, Binding) and binding.id]


def find_key_problems(keys: Mapping[str, str]) -> list[str]:
    """Return the problems with these keys as sentences; Textual itself would silently drop a binding."""
    bindings = named_bindings()
    names = sorted({binding.id or "" for binding in bindings})
    problems = []
    for name in keys:
        if name not in names:
            near = difflib.get_close_matches(name, names, n=1)
            problems.append(f"keys: unknown binding {name}; known: {near[0] if near else ', '.join(names)}")
    for taker, wanted in keys.items():
        for loser in bindings:
            same_place = _place(taker) in {_place(loser.id or ""), ""} or not _place(loser.id or "")
            held = keys.get(loser.id or "", loser.key)
            if taker in names and loser.id != taker and same_place and set(wanted.split(",")) & set(held.split(",")):
                problems.append(
                    f"keys: {taker}={wanted} conflicts with {loser.id} ({loser.description}), which uses the same key"
                )
    return problems


def _place(name: str) -> str:
    """Return the screen that a binding belongs to; "" for a global binding."""
    return name.rpartition(".")[0]
