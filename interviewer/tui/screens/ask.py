"""A small dialog with one line to fill in; escape changes nothing."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from interviewer.tui.widgets.lists import Line


class AskScreen(ModalScreen[str | None]):
    """Ask for a line, and dismiss with it, or with None."""

    CSS_PATH = "../screens.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", "Back")]

    def __init__(self, title: str, text: str, value: str) -> None:
        super().__init__()
        self._title = title
        self._text = text
        self._value = value

    def compose(self) -> ComposeResult:
        """Yield the dialog."""
        with Vertical(classes="dialog"):
            yield Static(self._title, classes="title", markup=False)
            yield Static(self._text, classes="text", markup=False)
            yield Line(self._value, id="ask")
            yield Static("enter takes it · esc goes back", classes="hint", markup=False)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Take the line."""
        self.dismiss(event.value.strip())
