"""Generate docs/keys.md from the bindings of all screens and fields. The page shows the command that generates it."""

from __future__ import annotations

import importlib
import pkgutil
import re
import string
import sys
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from textual.dom import DOMNode
from textual.keys import format_key
from textual.screen import Screen
from textual.widget import Widget

from interviewer.tui import screens, widgets
from interviewer.tui.app_base import BaseApp

HEAD = """# Keys

<!-- Generated from the bindings: python -m interviewer.tui.keys_reference > docs/keys.md -->

F1 lists the keys for the current screen; so does `?` outside a text field. ctrl+p searches all actions by name. You can
rebind any key that has a name below: press `s` on the home screen, choose `keys`, and enter, for example,
`challenge.hint=f6`. Every action has a key that older terminals support, too.
"""
TITLES = {
    "BaseApp": "Everywhere",
    "PromptScreen": "Dialog with a text field",
    "ChoiceScreen": "Dialog with choices",
    "Menu": "Home menu",
    "LineInput": "Single-line input",
    "VerticalScroll": "Scrollable areas",
    "TextArea": "Multi-line text fields",
    "Input": "Single-line text fields",
    "OptionList": "All lists",
    "DataTable": "Session table",
}
_ALONE = re.compile(r"(shift\+)?(f([1-9]|1[0-2])|[a-z_]+)|\d(-\d)?")
_WITH_CTRL = re.compile(r"ctrl\+([a-gj-lno-z]|up|down|left|right|home|end|pageup|pagedown)")


class Row(NamedTuple):
    """An action: its keys, its description, and its binding name ("" if its key cannot be changed)."""

    keys: tuple[str, ...]
    does: str
    name: str


def old_terminals_send(key: str) -> bool:
    """Return whether a terminal without a keyboard protocol can send this key as a distinct key.

    Such terminals cannot send alt, super, two modifiers, ctrl with a digit or punctuation mark, or function keys above
    12. They send ctrl+h, ctrl+i and ctrl+m as backspace, tab and enter.
    """
    return bool(_ALONE.fullmatch(key) or _WITH_CTRL.fullmatch(key))


def places() -> list[type[DOMNode]]:
    """Return the app and all of this package's screens and focusable widgets. This imports all of them."""
    found: list[type[DOMNode]] = [BaseApp]
    for room in (screens, widgets):
        for module in sorted(info.name for info in pkgutil.iter_modules(room.__path__, f"{room.__name__}.")):
            members = vars(importlib.import_module(module)).values()
            found += [member for member in members if _is_place(member) and member.__module__ == module]
    # A screen class that has subclasses is only a base class, so it does not get a section.
    parents = {parent for place in found for parent in place.__mro__[1:]}
    return [place for place in found if not (issubclass(place, Screen) and place in parents)]


def _is_place(place: object) -> bool:
    return isinstance(place, type) and (issubclass(place, Screen) or (issubclass(place, Widget) and place.can_focus))


def rows_of(place: type[DOMNode], without: type[DOMNode] | None = None) -> list[Row]:
    """Return a place's actions, including inherited ones, except for bindings that `without` has on the same key."""
    left_out = without._merge_bindings().key_to_bindings if without else {}
    found: dict[str, Row] = {}
    for key, bindings in place._merge_bindings().key_to_bindings.items():
        for binding in bindings:
            if binding.description and binding not in left_out.get(key, ()):
                # The app's own bindings come after Textual's, so their descriptions win.
                known = found.get(binding.action, Row((), "", binding.id or ""))
                found[binding.action] = known._replace(keys=(*known.keys, key), does=binding.description)
    by_hand = [Row(tuple(keys.split(",")), does, "") for keys, does in getattr(place, "TYPED_KEYS", ())]
    return [*by_hand, *found.values()]


def keys_text() -> str:
    """Return the whole document: the app, this package's screens and fields, and the fields' Textual base classes."""
    found = places()
    parts, parents = [HEAD], dict[type[DOMNode], None]()
    for place in found:
        # Inherited actions are listed only once, under the parent class.
        parent = next(base for base in place.__mro__[1:] if base in found or base.__module__.startswith("textual."))
        if place is BaseApp:
            palette = Row((BaseApp.COMMAND_PALETTE_BINDING,), "Search actions by name", "")
            parts += _section(place, [*rows_of(place), palette, *rows_of(Screen)])
        elif issubclass(place, Screen):
            parts += _section(place, rows_of(place, without=Screen))
        else:
            parts += _section(place, rows_of(place, without=parent))
            parents |= {} if parent in found else {parent: None}
    for parent in parents:
        parts += _section(parent, rows_of(parent))
    return "\n".join(parts)


def _section(place: type[DOMNode], rows: Sequence[Row]) -> Iterator[str]:
    if rows:
        lines = [f"| {_keys(row.keys)} | {row.does} | {f'`{row.name}`' if row.name else ''} |" for row in rows]
        yield "\n".join([f"## {title_of(place)}\n", "| key | does | name |", "|---|---|---|", *lines, ""])


def title_of(place: type[DOMNode]) -> str:
    """Return the title of a place: from the table, or else its class name split into words."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", place.__name__.removesuffix("Screen"))
    return TITLES.get(place.__name__, words.capitalize())


def _keys(keys: Sequence[str]) -> str:
    return ", ".join(f"`{_shown(key)}`" for key in keys)


def _shown(key: str) -> str:
    modifiers, plus, last = key.rpartition("+")
    sign = format_key(last)
    return modifiers + plus + (sign if sign in string.punctuation else last)


if __name__ == "__main__":
    sys.stdout.write(keys_text())
