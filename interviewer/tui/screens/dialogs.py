"""Small dialogs: choose from several options, enter a line of text, show the keys. Escape cancels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen, Screen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from interviewer.tui.bindings import key_order
from interviewer.tui.screens.base_screen import BaseScreen
from interviewer.tui.typing_guard import TypingGuard
from interviewer.tui.widgets.lists import LineInput

KEY_WIDTH = 18
# The app's own bindings are not active in a dialog.
KEYS = Binding("f1", "app.keys", "Keys", show=False, id="keys")
KeyRows = Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Choice:
    """An option in a dialog, with a description of its effect."""

    id: str
    label: str
    detail: str = ""


class ChoiceScreen(ModalScreen[str | None], BaseScreen[str | None]):
    """Ask a question with several options; dismissed with the id of the chosen option, or None.

    If `opens_unasked` is true, the user may be typing when the dialog appears. Every key except escape is then ignored
    until the user stops typing.
    """

    CSS_PATH = "../screens.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", "Back"), KEYS]
    TYPED_KEYS: ClassVar[Sequence[tuple[str, str]]] = (("1-9", "Choose this answer"),)

    def __init__(
        self, title: str, text: str, choices: Sequence[Choice], preset: int = 0, *, opens_unasked: bool = False
    ) -> None:
        super().__init__()
        self._title = title
        self._text = text
        self._choices = choices
        self._preset = preset
        self._opens_unasked = opens_unasked
        self._guard = TypingGuard()

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
            yield ChoiceList(*options, compact=True)
            yield Static("number or enter: choose · esc: back", classes="hint", markup=False)

    def on_mount(self) -> None:
        """Put the cursor on the default option."""
        self.query_one(OptionList).highlighted = self._preset
        if self._opens_unasked:
            self._guard.start()

    def on_resize(self) -> None:
        """Leave room for the text and the hint, so that a long list scrolls instead of being cut off."""
        self.call_after_refresh(self._fit_list)

    def _fit_list(self) -> None:
        rows = self.query_one(OptionList)
        above = self.query_one(".title").size.height + self.query_one(".text").size.height
        # The dialog takes 90% of the height. Its border and padding take 4 rows, and the hint and margins 3.
        rows.styles.max_height = max(1, int(self.app.size.height * 0.9) - 4 - above - 3)

    def on_key(self, event: events.Key) -> None:
        """Choose an option by its number."""
        if self._guard.is_on and event.key != "escape":
            self._guard.extend()
            event.stop()
        elif event.key.isdecimal() and 1 <= int(event.key) <= len(self._choices):
            event.stop()
            self.dismiss(self._choices[int(event.key) - 1].id)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Choose the highlighted option."""
        self.dismiss(event.option_id)


class ChoiceList(OptionList):
    """A list that keeps its highlighted option in view when its own height changes."""

    def on_resize(self) -> None:
        """Scroll to the highlighted option."""
        self.scroll_to_highlight()


def _key(number: int) -> str:
    # A tenth option would have no number key, because pressing 1 would already choose the first option.
    return str(number) if number < 10 else " "


class PromptScreen(ModalScreen[str | None], BaseScreen[str | None]):
    """Ask for a line of text; dismissed with the text, or None."""

    CSS_PATH = "../screens.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", "Back"), KEYS]

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
            yield LineInput(self._value, id="ask")
            yield Static("enter: confirm · esc: back", classes="hint", markup=False)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Accept the line."""
        self.dismiss(event.value.strip())


class HelpScreen(ModalScreen[None], BaseScreen[None]):
    """A list of keys in groups."""

    CSS_PATH = "../screens.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "dismiss(None)", "Back"),
        # The keys that open this dialog also close it.
        Binding("f1,question_mark", "dismiss(None)", "Keys"),
    ]

    def __init__(self, groups: Sequence[tuple[str, KeyRows]]) -> None:
        super().__init__()
        self._groups = groups

    def compose(self) -> ComposeResult:
        """Yield a block of text for each group of keys."""
        with Vertical(classes="dialog -tall"):
            yield Static("Keys on this screen", classes="title", markup=False)
            with VerticalScroll():
                for heading, rows in self._groups:
                    lines = [Content.styled(heading, "bold")]
                    lines += [Content.assemble((f"  {key:{KEY_WIDTH - 1}} ", "$primary"), what) for key, what in rows]
                    yield Static(Content("\n").join(lines), classes="keys")
            yield Static("esc: back · everything is saved as you type", classes="hint", markup=False)


def keys_of(screen: Screen[Any]) -> list[tuple[str, KeyRows]]:
    """Return a screen's keys in groups (this screen, global, and the focused widget), as in docs/keys.md."""
    # For each group and description, maps each key to its displayed form.
    groups: dict[str, dict[str, dict[str, str]]] = {"Here": {}, "Everywhere": {}, "In the focused field": {}}
    # Keys that a field handles as text input; if they were bindings, they would be handled too late.
    for group, owner in (("Here", screen), ("In the focused field", screen.focused)):
        groups[group] |= {
            what: {key: key for key in keys.split(",")} for keys, what in getattr(owner, "TYPED_KEYS", ())
        }
    for active in screen.active_bindings.values():
        if active.node is screen:
            group = "Here"
        elif active.node is screen.app:
            group = "Everywhere"
        else:
            group = "In the focused field"
        binding = active.binding
        if binding.description:
            shown = screen.app.get_key_display(binding)
            groups[group].setdefault(binding.description, {})[binding.key] = shown
    return [(name, _in_order(rows)) for name, rows in groups.items() if rows]


def _in_order(rows: Mapping[str, Mapping[str, str]]) -> KeyRows:
    ordered = sorted(rows.items(), key=lambda row: min(map(key_order, row[1])))
    return [(", ".join(keys[key] for key in sorted(keys, key=key_order)), what) for what, keys in ordered]
