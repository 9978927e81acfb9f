"""Generate docs/keys.md from the bindings of all screens and fields. The page shows the command that generates it."""

from __future__ import annotations

import importlib
import pkgutil
import re
import string
import sys
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from textual.dom import DOMNode
from textual.keys import format_key
from textual.screen import Screen
from textual.widget import Widget

from interviewer.tui import screens, widgets
from interviewer.tui.app_base import BaseApp
from interviewer.tui.bindings import FOCUS_KEYS, key_order

HEAD = """# Keys

<!-- Generated from the bindings: python -m interviewer.tui.keys_reference > docs/keys.md -->

A key has the same meaning on every screen where it works. F1 lists the current screen's keys; so does `?` outside a
text field. ctrl+p searches all actions by name. You can rebind any key that has a name below: press `s` on the home
screen, choose `keys`, and enter, for example, `challenge.hint=f10`. Every action has a key that older terminals also
support.
"""
TITLES = {
    "BaseApp": "everywhere",
    "PromptScreen": "Dialog with a text field",
    "ChoiceScreen": "Dialog with choices",
    "Menu": "Home menu",
    "LineInput": "Single-line input",
}


class Row(NamedTuple):
    """An action: its keys, its description, and its binding name ("" if its key cannot be changed)."""

    keys: tuple[str, ...]
    does: str
    name: str


def places() -> list[type[DOMNode]]:
    """Import and return the app and all of this package's screens and focusable widgets."""
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
    """Return the key bindings of a screen or field, including inherited ones, except those that `without` also has."""
    left_out = without._merge_bindings().key_to_bindings if without else {}
    found: dict[tuple[str, str], Row] = {}
    for key, bindings in place._merge_bindings().key_to_bindings.items():
        for binding in bindings:
            if binding.description and binding not in left_out.get(key, ()):
                same = binding.action, binding.description
                known = found.get(same, Row((), binding.description, binding.id or ""))
                found[same] = known._replace(keys=(*known.keys, key))
    by_hand = [Row(tuple(keys.split(",")), does, "") for keys, does in getattr(place, "TYPED_KEYS", ())]
    return [*by_hand, *found.values()]


def meanings() -> dict[str, dict[str, list[tuple[str, str]]]]:
    """Map each key to its meanings, and each meaning to its screens or fields and its binding names.

    A key with more than one meaning is only allowed if it acts on the focused widget (`FOCUS_KEYS`).
    """
    found: dict[str, dict[str, list[tuple[str, str]]]] = {}
    for place in places():
        # Keys that a field or list inherits from another class in this package are listed only for that class.
        parents = [base for base in place.__mro__[1:] if base in places()]
        rows = rows_of(place, without=Screen if issubclass(place, Screen) else next(iter(parents), None))
        if place is BaseApp:
            rows += [Row((BaseApp.COMMAND_PALETTE_BINDING,), "Palette: search actions by name", ""), *rows_of(Screen)]
        for row in rows:
            for key in row.keys:
                found.setdefault(key, {}).setdefault(row.does, []).append((title_of(place), row.name))
    return found


def keys_text() -> str:
    """Return the whole document: a table of keys by screen and field, then the keys that depend on the focus."""
    rows: dict[tuple[str, str, str], list[str]] = {}
    for key, uses in meanings().items():
        for does, where in uses.items():
            if key in FOCUS_KEYS:
                continue
            names = ", ".join(sorted({f"`{name}`" for _, name in where if name}))
            rows.setdefault((does, _titles(title for title, _ in where), names), []).append(key)
    ordered = sorted(rows.items(), key=lambda row: min(map(key_order, row[1])))
    lines = [
        f"| {_keys(sorted(keys, key=key_order))} | {does} | {where} | {names} |"
        for (does, where, names), keys in ordered
    ]
    enter = [f"| {_titles(title for title, _ in where)} | {does} |" for does, where in meanings()["enter"].items()]
    without = [f"- {does} ({title_of(place)})" for place in places() for does, _ in _without_key(place)]
    parts = [
        HEAD,
        "| key | does | where | name |\n|---|---|---|---|",
        *lines,
        "\nThe arrow keys, `home`, `end`, `pageup` and `pagedown` move or scroll in their direction; with `ctrl`,\n"
        "they move further. `tab` and `shift+tab` move the focus. In editable code, `tab` and `shift+tab` instead\n"
        "indent and unindent the current line or all selected lines; `f2`, `f4` or `f6` then moves the focus to\n"
        "another view. `enter` acts on the focused element:\n",
        "| where | `enter` does |\n|---|---|",
        *enter,
        "\nThe following actions have no key; search for them with ctrl+p. You can also end a session in the dialog\n"
        "that `escape` opens:\n",
        *without,
    ]
    return "\n".join(parts) + "\n"


def _without_key(place: type[DOMNode]) -> Sequence[tuple[str, str]]:
    return getattr(place, "COMMANDS_WITHOUT_KEY", ())


def _titles(titles: Iterable[str]) -> str:
    return ", ".join(sorted(set(titles), key=str.casefold))


def title_of(place: type[DOMNode]) -> str:
    """Return a screen's or field's title from the table or, if it has no title, its class name split into words."""
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
