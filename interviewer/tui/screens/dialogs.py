"""A small dialog: one question, a few answers with number keys; escape answers nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option


@dataclass(frozen=True)
class Choice:
    """Hold one answer and what it leads to."""

    id: str
    label: str
    detail: str = ""


class ChoiceScreen(ModalScreen[str | None]):
    """Ask, and dismiss with the id of the answer, or None."""

    CSS_PATH = "../screens.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", "Back")]
    TYPED_KEYS: ClassVar[Sequence[tuple[str, str]]] = (("1-9", "Choose this answer"),)

    def __init__(self, title: str, text: str, choices: Sequence[Choice], preset: int = 0) -> None:
        super().__init__()
        self._title = title
        self._text = text
        self._choices = choices
        self._preset = preset

    def compose(self) -> ComposeResult:
        """Yield the dialog."""
        width = max(len(choice.label) for choice in self._choices)
        options = [
            Option(
                Content.assemble(
                    (f"{_key(number)}  ", "$primary"), choice.label.ljust(width + 3), (choice.detail, "$secondary")
                ),
                id=choice.id,
            )
            for number, choice in enumerate(self._choices, 1)
        ]
        with Vertical(classes="dialog"):
            yield Static(self._title, classes="title", markup=False)
            yield Static(self._text, classes="text", markup=False)
            yield OptionList(*options, compact=True)
            yield Static("number or enter chooses · esc goes back", classes="hint", markup=False)

    def on_mount(self) -> None:
        """Put the cursor on the preset answer."""
        self.query_one(OptionList).highlighted = self._preset

    def on_key(self, event: events.Key) -> None:
        """Take a number as the answer."""
        if event.key.isdecimal() and 1 <= int(event.key) <= len(self._choices):
            event.stop()
            self.dismiss(self._choices[int(event.key) - 1].id)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Take the chosen answer."""
        self.dismiss(event.option_id)


def _key(number: int) -> str:
    # A tenth answer has no key of its own: 1 would already have chosen the first.
    return str(number) if number < 10 else " "
