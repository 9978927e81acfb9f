"""The session screens' named key bindings, the sort order of keys, and checks for the user's own bindings.

Imports no screen.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping

from textual.binding import Binding, BindingType

# Each key means the same thing everywhere in the app; tests/tui/test_one_meaning.py checks all screens and fields.
# docs/keys.md is generated from these tables and says where each key works.
BACK = "Back"
# Bindings that are active on every screen.
EVERYWHERE: list[BindingType] = [
    Binding("f1", "keys", "Keys", id="keys"),
    Binding("question_mark", "keys", "Keys", show=False),
    Binding("ctrl+t", "raw", "Switch between rendered formulas and TeX source", show=False, id="raw"),
    Binding("ctrl+q", "quit", "Quit", priority=True, show=False, id="quit"),
]
INTERVIEW: list[BindingType] = [
    # These bindings have priority, so that letters typed after the key go to the newly focused widget.
    Binding("f2", "view('statement')", "Statement", show=False, priority=True, id="interview.statement"),
    Binding("f3", "view('code')", "Code", show=False, priority=True, id="interview.code"),
    Binding("f4", "view('talk')", "Talk", show=False, priority=True, id="interview.talk"),
    Binding("ctrl+o", "edit_outside", "Open in $EDITOR", show=False, id="interview.editor"),
    Binding("f12", "copy", "Copy", show=False, id="interview.copy"),
    Binding("ctrl+s", "submit", "Submit", priority=True, id="interview.submit"),
    Binding("ctrl+s", "confirm", "Submit", priority=True, id="interview.submit"),
    Binding("ctrl+r", "solution", "Solution", id="interview.solution"),
    Binding("f8", "hint", "Hint", id="interview.hint"),
    Binding("f9", "skip", "Skip", id="interview.skip"),
    Binding("ctrl+d", "take_back", "Retract", id="interview.take_back"),
    Binding("escape", "back", BACK, id="interview.back"),
    Binding("f11", "judge_offline", "Judge this answer offline", show=False, id="interview.judge_offline"),
    Binding("f10", "go_live", "Invite an observer", show=False, id="interview.live"),
]
CHALLENGE: list[BindingType] = [
    Binding("f2", "view('statement')", "Statement", show=False, priority=True, id="challenge.statement"),
    Binding("f3", "view('code')", "Code", show=False, priority=True, id="challenge.code"),
    Binding("f6", "view('attempts')", "Results", show=False, priority=True, id="challenge.results"),
    Binding("ctrl+o", "edit_outside", "Open in $EDITOR", show=False, id="challenge.editor"),
    Binding("f12", "copy", "Copy", show=False, id="challenge.copy"),
    Binding("ctrl+s", "submit", "Submit", priority=True, id="challenge.submit"),
    Binding("f5", "pause", "Pause", priority=True, id="challenge.pause"),
    Binding("f8", "hint", "Hint", id="challenge.hint"),
    Binding("f9", "skip", "Skip", id="challenge.skip"),
    Binding("ctrl+r", "solution", "Solution", id="challenge.solution"),
    Binding("escape", "back", BACK, id="challenge.back"),
]
OBSERVER: list[BindingType] = [
    Binding("f3", "view('code')", "Code", show=False, priority=True, id="observer.code"),
    Binding("f4", "view('talk')", "Talk", show=False, priority=True, id="observer.talk"),
    Binding("f6", "view('rubric')", "Results", show=False, priority=True, id="observer.results"),
    Binding("escape", "back", BACK, id="observer.back"),
]
# Keys for text fields, except pageup and pagedown. Textual's own tables are not inherited: they use F6 and ctrl+d, and
# word boundaries differ between the fields. An action gets a second key if Textual binds it only to chords that old
# terminals cannot send.
LONG_TEXT_KEYS: list[BindingType] = [
    Binding("f7", "select_all", "Select all", show=False),
    Binding("ctrl+z,super+z", "undo", "Undo", show=False),
    Binding("ctrl+y,super+y", "redo", "Redo", show=False),
    Binding("ctrl+x,super+x", "cut", "Cut", show=False),
    Binding("ctrl+c,super+c", "copy", "Copy selected text", show=False),
    Binding("ctrl+v", "paste", "Paste", show=False),
    Binding("up", "cursor_up", "Up", show=False),
    Binding("down", "cursor_down", "Down", show=False),
    Binding("left", "cursor_left", "Left", show=False),
    Binding("right", "cursor_right", "Right", show=False),
    Binding("home,ctrl+a", "cursor_line_start", "Line start", show=False),
    Binding("end,ctrl+e", "cursor_line_end", "Line end", show=False),
    Binding("ctrl+left", "cursor_word_left", "One word left", show=False),
    Binding("ctrl+right", "cursor_word_right", "One word right", show=False),
    Binding("shift+left", "cursor_left(True)", "Select one character left", show=False),
    Binding("shift+right", "cursor_right(True)", "Select one character right", show=False),
    Binding("shift+up", "cursor_up(True)", "Select one line up", show=False),
    Binding("shift+down", "cursor_down(True)", "Select one line down", show=False),
    Binding("shift+home", "cursor_line_start(True)", "Select to line start", show=False),
    Binding("shift+end", "cursor_line_end(True)", "Select to line end", show=False),
    Binding("ctrl+shift+left,ctrl+b", "cursor_word_left(True)", "Select one word left", show=False),
    Binding("ctrl+shift+right,ctrl+n", "cursor_word_right(True)", "Select one word right", show=False),
    Binding("backspace", "delete_left", "Delete character left", show=False),
    Binding("delete", "delete_right", "Delete character right", show=False),
    Binding("ctrl+w,ctrl+backspace,alt+backspace", "delete_word_left", "Delete word left", show=False),
    Binding("shift+delete,alt+delete", "delete_word_right", "Delete word right", show=False),
    Binding("ctrl+u,super+backspace", "delete_to_start_of_line", "Delete to line start", show=False),
    Binding("ctrl+k", "delete_to_end_of_line_or_delete_line", "Delete to line end", show=False),
    Binding("ctrl+l,ctrl+shift+k", "delete_line", "Delete line", show=False),
]
LINE_KEYS: list[BindingType] = [
    Binding("f7", "select_all", "Select all", show=False),
    Binding("ctrl+x,super+x", "cut", "Cut", show=False),
    Binding("ctrl+c,super+c", "copy", "Copy selected text", show=False),
    Binding("ctrl+v", "paste", "Paste", show=False),
    Binding("left", "cursor_left", "Left", show=False),
    Binding("right", "cursor_right", "Right", show=False),
    Binding("home,ctrl+a", "home", "Line start", show=False),
    Binding("end,ctrl+e", "end", "Line end", show=False),
    Binding("ctrl+left", "cursor_left_word", "One word left", show=False),
    Binding("ctrl+right", "cursor_right_word", "One word right", show=False),
    Binding("shift+left", "cursor_left(True)", "Select one character left", show=False),
    Binding("shift+right", "cursor_right(True)", "Select one character right", show=False),
    Binding("shift+home", "home(True)", "Select to line start", show=False),
    Binding("shift+end", "end(True)", "Select to line end", show=False),
    Binding("ctrl+shift+left,ctrl+b", "cursor_left_word(True)", "Select one word left", show=False),
    Binding("ctrl+shift+right,ctrl+n", "cursor_right_word(True)", "Select one word right", show=False),
    Binding("backspace", "delete_left", "Delete character left", show=False),
    Binding("delete", "delete_right", "Delete character right", show=False),
    Binding("ctrl+w,ctrl+backspace,alt+backspace", "delete_left_word", "Delete word left", show=False),
    Binding("shift+delete,alt+delete", "delete_right_word", "Delete word right", show=False),
    Binding("ctrl+u,super+backspace", "delete_left_all", "Delete to line start", show=False),
    Binding("ctrl+k", "delete_right_all", "Delete to line end", show=False),
    Binding("enter", "submit", "Confirm", show=False),
]

# The arrow keys, enter and tab act on the focused widget: arrow keys move, enter confirms, and tab moves the focus or
# indents editable code.
DIRECTIONS = frozenset(
    f"{modifier}{key}"
    for modifier in ("", "ctrl+")
    for key in ("up", "down", "left", "right", "home", "end", "pageup", "pagedown")
)
FOCUS_KEYS = DIRECTIONS | {"enter", "tab", "shift+tab"}
_ALONE = re.compile(r"(shift\+)?(f([1-9]|1[0-2])|[a-z_]+)|\d(-\d)?")
_WITH_CTRL = re.compile(r"ctrl\+([a-gj-lno-z]|up|down|left|right|home|end|pageup|pagedown)")


def named_bindings() -> list[Binding]:
    """Return every binding whose key can be changed."""
    tables = (EVERYWHERE, INTERVIEW, CHALLENGE, OBSERVER)
    return [binding for table in tables for binding in table if isinstance(binding, Binding) and binding.id]


def old_terminals_send(key: str) -> bool:
    """Return whether a terminal without a keyboard protocol can distinguish this key from other keys.

    Such terminals cannot send alt, super, two modifiers, ctrl with a digit or punctuation mark, or function keys above
    12. These terminals also send ctrl+h, ctrl+i and ctrl+m as backspace, tab and enter.
    """
    return bool(_ALONE.fullmatch(key) or _WITH_CTRL.fullmatch(key))


def key_order(key: str) -> tuple[bool, int, int, str]:
    """Return the value by which lists of keyboard keys are sorted.

    The order is: function keys, ctrl keys, letters and other keys, chords that only new terminals send, `FOCUS_KEYS`.
    """
    number = re.fullmatch(r"f(\d+)", key)
    group = 0 if number else 1 if _WITH_CTRL.fullmatch(key) else 3 if "+" in key else 2
    return key in FOCUS_KEYS, group if old_terminals_send(key) else 4, int(number[1]) if number else 0, key


def find_key_problems(keys: Mapping[str, str]) -> list[str]:
    """Return one sentence per problem with these keys; Textual would silently drop an invalid binding."""
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
