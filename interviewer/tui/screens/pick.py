"""A list to search and pick one thing from; typing filters, the arrow keys move, escape goes back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from interviewer.tui.screens.base_screen import BaseScreen, TooSmall
from interviewer.tui.text_format import in_words
from interviewer.tui.widgets.lists import KeyFooter, Search
from interviewer.tui.widgets.markdown import SafeMarkdown


@dataclass(frozen=True)
class Pickable:
    """Hold one row: its name with a note, a detail, the text to preview, and hidden text that is only searched.

    A row without a name shows its id.
    """

    id: str
    detail: str
    preview: str
    name: str = ""
    note: str = ""
    hidden: str = ""

    @property
    def title(self) -> str:
        """Return what the row is called."""
        return self.name or in_words(self.id)


class PickScreen(BaseScreen[str | None]):
    """Dismiss with the id of the picked row, or None."""

    CSS_PATH = "../screens.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", "Up", show=False),
        Binding("down", "move(1)", "Down", show=False),
        Binding("escape", "dismiss(None)", "Back"),
    ]

    # What the enter key of the search field is called.
    SEARCH: ClassVar[type[Search]] = Search

    def __init__(self, title: str, rows: Sequence[Pickable]) -> None:
        super().__init__()
        self._title = title
        self._rows = {row.id: row for row in rows}
        self._previewed = ""

    def compose(self) -> ComposeResult:
        """Yield the search field, the list and the preview."""
        yield TooSmall()
        yield Static(self._title, id="picked-from", classes="topbar", markup=False)
        yield self.SEARCH(placeholder="Search by name, topic or text", id="search")
        with Horizontal(id="pick"):
            yield OptionList(id="rows")
            with VerticalScroll(id="preview", can_focus=False):
                yield SafeMarkdown(id="preview-text")
        yield KeyFooter(show_command_palette=False)

    def on_mount(self) -> None:
        """Show everything."""
        self._fill("")

    def on_input_changed(self, event: Input.Changed) -> None:
        """Show what matches."""
        self._fill(event.value)

    def on_input_submitted(self) -> None:
        """Pick from the search field, which keeps the enter key for itself."""
        row = self.query_one(OptionList).highlighted_option
        if row is not None and row.id is not None:
            self.dismiss(row.id)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Pick the clicked row."""
        self.dismiss(event.option_id)

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Preview the row under the cursor."""
        if event.option_id in self._rows:
            self._preview(self._rows[event.option_id].preview)

    def action_move(self, step: int) -> None:
        """Move the cursor of the list while the search field has the focus."""
        rows = self.query_one(OptionList)
        if step > 0:
            rows.action_cursor_down()
        else:
            rows.action_cursor_up()

    def show_rows(self, rows: Sequence[Pickable]) -> None:
        """Show other rows; search words and cursor stay."""
        self._rows = {row.id: row for row in rows}
        at = self.query_one(OptionList).highlighted
        self._fill(self.query_one(Search).value)
        if at is not None and at < self.query_one(OptionList).option_count:
            self.query_one(OptionList).highlighted = at

    def _preview(self, text: str) -> None:
        # Only a changed text is drawn: each drawing of a long statement costs tens of milliseconds.
        if text != self._previewed:
            self._previewed = text
            self.query_one("#preview-text", SafeMarkdown).update(text)
            self.query_one("#preview").scroll_home(animate=False)

    def _fill(self, wanted: str) -> None:
        rows = self.query_one(OptionList)
        rows.clear_options()
        found = find_rows(self._rows.values(), wanted)
        rows.add_options(Option(_row_content(row), id=row.id) for row in found)
        shown = f"{self._title} · {len(found)} of {len(self._rows)}"
        self.query_one("#picked-from", Static).update(shown)
        if found:
            rows.highlighted = 0
        else:
            rows.add_option(Option("No matches. Try fewer words.", disabled=True))
            self._preview("")


def find_rows(rows: Iterable[Pickable], wanted: str) -> list[Pickable]:
    """Return the rows in which every wanted word occurs, nearest first; all rows for no words."""
    words = wanted.casefold().split()
    found = (row for row in rows if all(word in _searched(row) for word in words))
    return sorted(found, key=lambda row: _distance(row, words))


def _row_content(row: Pickable) -> Content:
    note = f"  {row.note}" if row.note else ""
    return Content.assemble(row.title, (note, "$secondary"), "\n", (row.detail, "$secondary"))


def _searched(row: Pickable) -> str:
    return f"{row.id} {row.title} {row.note} {row.detail} {row.preview} {row.hidden}".casefold()


def _distance(row: Pickable, words: Sequence[str]) -> int:
    """Return how far from the name the words were found: names come first, then what is shown, then hidden text."""
    shown = {0: row.title.casefold(), 1: f"{row.note} {row.detail}".casefold(), 10: row.preview.casefold()}
    return sum(next((cost for cost, text in shown.items() if word in text), 20) for word in words)
