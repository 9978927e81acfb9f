"""The user's own keys held against every binding that has a name: unknown names and lost keys are told, by name."""

from __future__ import annotations

import difflib
from collections.abc import Mapping

from textual.binding import Binding
from textual.dom import DOMNode


def named_bindings() -> list[Binding]:
    """Return every binding that can be given another key; imports the screens, so not for the first picture."""
    from interviewer.tui.app_base import Shell
    from interviewer.tui.screens.challenge import ChallengeScreen
    from interviewer.tui.screens.challenge_layout import ChallengeLayoutScreen
    from interviewer.tui.screens.interview import InterviewScreen
    from interviewer.tui.screens.layout import LayoutScreen
    from interviewer.tui.screens.observer import ObserverScreen

    holders: tuple[type[DOMNode], ...] = (
        Shell,
        LayoutScreen,
        InterviewScreen,
        ChallengeLayoutScreen,
        ChallengeScreen,
        ObserverScreen,
    )
    found = [one for holder in holders for one in holder.BINDINGS if isinstance(one, Binding)]
    return [one for one in found if one.id]


def complaints(keys: Mapping[str, str]) -> list[str]:
    """Return what is wrong with these keys, in sentences; Textual itself would drop a binding without a word."""
    bindings = named_bindings()
    names = sorted({one.id or "" for one in bindings})
    said = []
    for name in keys:
        if name not in names:
            near = difflib.get_close_matches(name, names, n=1)
            said.append(f"keys: unknown binding {name}; known: {near[0] if near else ', '.join(names)}")
    for taker, wanted in keys.items():
        for loser in bindings:
            same_place = _place(taker) in {_place(loser.id or ""), ""} or not _place(loser.id or "")
            held = keys.get(loser.id or "", loser.key)
            if taker in names and loser.id != taker and same_place and set(wanted.split(",")) & set(held.split(",")):
                said.append(f"keys: {taker}={wanted} takes the key of {loser.id} ({loser.description})")
    return said


def _place(name: str) -> str:
    """Return the screen that a binding belongs to; "" for one that holds everywhere."""
    return name.rpartition(".")[0]
