"""Screens with text to read, scroll and copy, such as a comparison or a solution."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from interviewer.interview.challenge import solution_text
from interviewer.session.state import TaskWork
from interviewer.tui.screens.base_screen import BaseScreen, TooSmall
from interviewer.tui.text_format import printable
from interviewer.tui.widgets.lists import KeyFooter
from interviewer.tui.widgets.markdown import SafeMarkdown
from tasks.task import Task


class SideBySideScreen(BaseScreen[None]):
    """Show two programs side by side; each side scrolls, and tab switches sides."""

    CSS_PATH = "../screens.tcss"
    DEFAULT_CSS = (
        "SideBySideScreen .side { width: 1fr; padding: 0 1 0 0; border-left: blank; }"
        "SideBySideScreen .side:focus { border-left: heavy $primary; }"
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("c", "copy", "Copy"),
        Binding("escape,q", "dismiss(None)", "Back"),
    ]

    def __init__(self, title: str, own: str, reference: str) -> None:
        super().__init__()
        self._title = title
        self._own = own
        self._reference = reference

    def compose(self) -> ComposeResult:
        """Yield both programs with their titles."""
        yield TooSmall()
        yield Static(self._title, classes="topbar", markup=False)
        with Horizontal():
            for name, code in (("Your code", self._own), ("Reference", self._reference)):
                with VerticalScroll(classes="side"):
                    yield Static(name, markup=False)
                    yield Static(Content(printable(code)), markup=False)
        yield KeyFooter()

    def on_mount(self) -> None:
        """Focus the first program, so that the arrow keys scroll it."""
        self.query(VerticalScroll).first().focus()

    def action_copy(self) -> None:
        """Copy the reference to the clipboard."""
        self.app.copy_to_clipboard(self._reference)


class ReadingScreen(BaseScreen[None]):
    """Show Markdown text with a title; the copy action copies `source` to the clipboard.

    Formulas are rendered only if `draws_formulas` is set.

    If `own` (the candidate's code) is given, a key shows that code next to `source`.
    """

    CSS_PATH = "../screens.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("c", "copy", "Copy"),
        Binding("v", "compare", "Side by side"),
        Binding("escape,q", "dismiss(None)", "Back"),
    ]

    def __init__(self, title: str, text: str, source: str = "", *, draws_formulas: bool = False, own: str = "") -> None:
        super().__init__()
        self._title = title
        self._text = text
        self._draws_formulas = draws_formulas
        self._source = source or text
        self._own = own

    def compose(self) -> ComposeResult:
        """Yield the text."""
        yield TooSmall()
        yield Static(self._title, classes="topbar", markup=False)
        with VerticalScroll(id="reading"):
            yield SafeMarkdown(printable(self._text), draws_formulas=self._draws_formulas)
        yield KeyFooter()

    def on_mount(self) -> None:
        """Focus the text, so that the arrow keys scroll."""
        self.query_one("#reading").focus()

    def action_copy(self) -> None:
        """Copy the text to the clipboard; the app reports which method it used."""
        self.app.copy_to_clipboard(self._source)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return whether an action applies: without the candidate's code, there is nothing to compare."""
        return action != "compare" or bool(self._own)

    def action_compare(self) -> None:
        """Show the candidate's code next to the source."""
        self.app.push_screen(SideBySideScreen(self._title, self._own, self._source))


def solution_screen(task: Task, work: TaskWork) -> ReadingScreen:
    """Return a screen with the solution and the sources of a task that was passed or abandoned."""
    own = work.attempts[-1].source if work.attempts else ""
    title = f"Solution · {printable(task.title)}"
    return ReadingScreen(title, solution_text(task, work), task.reference, draws_formulas=True, own=own)
