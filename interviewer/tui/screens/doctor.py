"""Setup checks and their fixes. The checks run in the background and never block the app."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, Protocol

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from interviewer.tui.background import run_in_background
from interviewer.tui.screens.base_screen import BaseScreen, TooSmall
from interviewer.tui.text_format import advice, printable
from interviewer.tui.widgets.lists import KeyFooter

CHECKING = "Checking … this takes a few seconds. You can keep using the app."
OFFLINE_WORKS = "An offline interview needs none of the missing parts: press m on the home screen to start one."


class Finding(Protocol):
    """The result of a check."""

    @property
    def name(self) -> str:
        """Return the name of the check."""
        ...

    @property
    def is_ok(self) -> bool:
        """Return whether the check passed."""
        ...

    @property
    def detail(self) -> str:
        """Return the details of the result."""
        ...

    @property
    def fix(self) -> str:
        """Return how to fix the problem."""
        ...


Examine = Callable[[], Sequence[Finding]]


class DoctorScreen(BaseScreen[None]):
    """The results of the checks, failed checks first."""

    CSS_PATH = "../screens.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("g", "again", "Check again"),
        Binding("c", "copy", "Copy"),
        Binding("e", "errors", "Errors"),
        Binding("escape,q", "dismiss(None)", "Back"),
        Binding("y", "setup", "Model setup"),
    ]

    def __init__(
        self,
        examine: Examine,
        known: Sequence[Finding] = (),
        open_errors: Callable[[], None] = lambda: None,
        open_setup: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__()
        self._open_errors = open_errors
        self._open_setup = open_setup
        self._examine = examine
        self._found = known

    def compose(self) -> ComposeResult:
        """Yield the results."""
        yield TooSmall()
        yield Static("Doctor: what works on this machine", classes="topbar", markup=False)
        with VerticalScroll(id="doctor"):
            yield Static(CHECKING, id="findings", markup=False)
        yield KeyFooter()

    def on_mount(self) -> None:
        """Show the results that are known, and run the checks, because something may have been fixed since then."""
        self.query_one("#doctor").focus()
        if self._found:
            self._show(self._found)
        self._check()

    def action_again(self) -> None:
        """Run the checks again."""
        self.query_one("#findings", Static).update(CHECKING)
        self._check()

    def action_copy(self) -> None:
        """Copy the results to the clipboard; the app reports which method it used."""
        self.app.copy_to_clipboard(findings_content(self._found).plain)

    def action_errors(self) -> None:
        """Show the app's internal errors."""
        self._open_errors()

    def action_setup(self) -> None:
        """Set up a language model."""
        self._open_setup()

    def _check(self) -> None:
        run_in_background(self, self._examine, self._show, self._complain)

    def _complain(self, error: Exception) -> None:
        self.query_one("#findings", Static).update(advice(error))

    def _show(self, found: Sequence[Finding]) -> None:
        self._found = found
        self.query_one("#findings", Static).update(findings_content(found))


def findings_content(found: Sequence[Finding]) -> Content:
    """Return all results, failed checks first, each with its fix."""
    lines: list[Content] = []
    for finding in sorted(found, key=lambda finding: finding.is_ok):
        mark = ("ok  ", "$text-success") if finding.is_ok else ("no  ", "bold $text-error")
        lines.append(Content.assemble(mark, (finding.name, "bold"), f": {printable(finding.detail)}"))
        if not finding.is_ok and finding.fix:
            lines.append(Content(f"    Fix: {printable(finding.fix)}"))
    if any(not finding.is_ok for finding in found):
        lines += [Content(""), Content(OFFLINE_WORKS)]
    return Content("\n").join(lines)
