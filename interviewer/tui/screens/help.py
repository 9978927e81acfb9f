"""The keys that work where the user is, made from the live bindings, so that it cannot fall behind them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen, Screen
from textual.widgets import Static

KEY_WIDTH = 18
KeyRows = Sequence[tuple[str, str]]


class HelpScreen(ModalScreen[None]):
    """List keys in groups."""

    CSS_PATH = "../screens.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,f1,question_mark,q,enter", "dismiss(None)", "Back")]

    def __init__(self, groups: Sequence[tuple[str, KeyRows]]) -> None:
        super().__init__()
        self._groups = groups

    def compose(self) -> ComposeResult:
        """Yield one block a group."""
        with Vertical(classes="dialog -tall"):
            yield Static("Keys that work here", classes="title", markup=False)
            with VerticalScroll():
                for heading, rows in self._groups:
                    lines = [Content.styled(heading, "bold")]
                    lines += [Content.assemble((f"  {key:{KEY_WIDTH}}", "$primary"), what) for key, what in rows]
                    yield Static(Content("\n").join(lines), classes="keys")
            yield Static("esc goes back · everything is saved as you type", classes="hint", markup=False)


def keys_of(screen: Screen[Any]) -> list[tuple[str, KeyRows]]:
    """Return the keys of a screen in groups: this screen, everywhere, the focused widget."""
    groups: dict[str, dict[str, str]] = {"Here": {}, "Everywhere": {}, "In the focused field": {}}
    # Keys that a field takes like letters: as a binding they would come too late.
    typed = getattr(screen.focused, "TYPED_KEYS", ())
    groups["In the focused field"] |= {what: keys.replace(",", ", ") for keys, what in typed}
    # The keys that the footer names come first: they are the ones one looks for.
    for active in sorted(screen.active_bindings.values(), key=lambda active: not active.binding.show):
        if active.node is screen:
            group = "Here"
        elif active.node is screen.app:
            group = "Everywhere"
        else:
            group = "In the focused field"
        binding = active.binding
        if binding.description:
            key = screen.app.get_key_display(binding)
            known = groups[group].get(binding.description)
            groups[group][binding.description] = f"{known}, {key}" if known else key
    return [(name, [(key, what) for what, key in rows.items()]) for name, rows in groups.items() if rows]
