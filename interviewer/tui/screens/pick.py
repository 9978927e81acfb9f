"""A searchable list to pick from: typing filters the rows, the arrow keys move the cursor, and escape goes back."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
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

_WORD = re.compile(r"[^\W_]+")
# Words in a question that say nothing about the question's topic.
_FILLERS = frozenset(
    ("a an and are by can did do does for has have how i in is it of on or the to was what when which why with").split()
)
STEM_MIN = 4
PHRASE_BONUS = 6


@dataclass(frozen=True)
class Pickable:
    """A row: name, note, detail, preview text, and hidden text that is searched but not shown.

    A row without a name shows its id. If the row is a group of items, `contents` has each item's title, and `hidden`
    has one line for each item.
    """

    id: str
    detail: str
    preview: str
    name: str = ""
    note: str = ""
    hidden: str = ""
    contents: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """Return the name of the row."""
        return self.name or in_words(self.id)


class PickScreen(BaseScreen[str | None]):
    """A searchable list; dismissed with the id of the picked row, or None."""

    CSS_PATH = "../screens.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", "Up", show=False),
        Binding("down", "move(1)", "Down", show=False),
        Binding("escape", "dismiss(None)", "Back"),
    ]

    # The class of the search field; it determines the label of the field's enter key.
    SEARCH: ClassVar[type[Search]] = Search
    PLACEHOLDER = "Search by name, topic or text"

    def __init__(self, title: str, rows: Sequence[Pickable]) -> None:
        super().__init__()
        self._title = title
        self._rows = {row.id: row for row in rows}
        self._previewed = ""

    def compose(self) -> ComposeResult:
        """Yield the search field, the list and the preview."""
        yield TooSmall()
        yield Static(self._title, id="picked-from", classes="topbar", markup=False)
        yield self.SEARCH(placeholder=self.PLACEHOLDER, id="search")
        with Horizontal(id="pick"):
            yield OptionList(id="rows")
            with VerticalScroll(id="preview", can_focus=False):
                yield SafeMarkdown(id="preview-text")
        yield KeyFooter(show_command_palette=False)

    def on_mount(self) -> None:
        """Show all rows."""
        self._fill("")

    def on_input_changed(self, event: Input.Changed) -> None:
        """Show the matching rows."""
        self._fill(event.value)

    def on_input_submitted(self) -> None:
        """Pick the highlighted row when Enter is pressed; the search field has the focus, so it receives the key."""
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
        """Move the list cursor while the search field is focused."""
        rows = self.query_one(OptionList)
        if step > 0:
            rows.action_cursor_down()
        else:
            rows.action_cursor_up()

    def show_rows(self, rows: Sequence[Pickable]) -> None:
        """Replace the rows; the search text and the cursor position are kept."""
        self._rows = {row.id: row for row in rows}
        at = self.query_one(OptionList).highlighted
        self._fill(self.query_one(Search).value)
        if at is not None and at < self.query_one(OptionList).option_count:
            self.query_one(OptionList).highlighted = at

    def _preview(self, text: str) -> None:
        # Redraw only if the text has changed, because drawing a long statement takes tens of milliseconds.
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
    """Return the rows that contain all search words, best matches first; all rows if the search is empty.

    If no row contains all words, return the rows that contain the most words, if that is at least half of the words.
    """
    words = [_stem(word) for word in _words(wanted) if word not in _FILLERS] or [_stem(word) for word in _words(wanted)]
    counted = [(sum(_contains(_searched(row), word) for word in words), row) for row in rows]
    most = max((count for count, _ in counted), default=0)
    if 2 * most < len(words) or (words and not most):
        return []
    found = (row for count, row in counted if count == most)
    return sorted(found, key=lambda row: (_distance(row, words), *_shares_without(row, words)))


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _stem(word: str) -> str:
    return word[:-1] if len(word) > STEM_MIN and word.endswith("s") and not word.endswith("ss") else word


@lru_cache(maxsize=4096)
def _spaced(text: str) -> str:
    """Return the words of a text, each preceded by a single space."""
    return f" {' '.join(_words(text))}"


def _contains(text: str, word: str) -> bool:
    """Return whether any word in the text starts with this word; "logprob" also matches "log prob"."""
    spaced = _spaced(text)
    return f" {word}" in spaced or (len(word) > STEM_MIN and word in spaced.replace(" ", ""))


def _row_content(row: Pickable) -> Content:
    note = f"  {row.note}" if row.note else ""
    return Content.assemble(row.title, (note, "$secondary"), "\n", (row.detail, "$secondary"))


def _searched(row: Pickable) -> str:
    return f"{row.id} {row.title} {row.note} {row.detail} {row.preview} {row.hidden}"


def _distance(row: Pickable, words: Sequence[str]) -> int:
    """Return the cost of a match: lowest for words in the title, then in the row's other text, then anywhere else.

    A word found only in a task's statement adds the same cost as a word found only in a question's points.

    The cost is lower if words appear next to each other in the order in which they were typed.
    """
    shown = {0: row.title, 1: f"{row.note} {row.detail}"}
    cost = sum(next((cost for cost, text in shown.items() if _contains(text, word)), 10) for word in words)
    searched = _spaced(_searched(row))
    phrases = [rf" {first}s? {second}" for first, second in itertools.pairwise(words)]
    return cost - PHRASE_BONUS * sum(re.search(phrase, searched) is not None for phrase in phrases)


def _shares_without(row: Pickable, words: Sequence[str]) -> tuple[float, float]:
    """Return the fractions of a group's titles and of its hidden texts that contain none of these words."""
    if not row.contents:
        return 0.0, 0.0
    titles, texts = (
        sum(not any(_contains(text, word) for word in words) for text in several) / len(row.contents)
        for several in (row.contents, row.hidden.splitlines())
    )
    return titles, texts
