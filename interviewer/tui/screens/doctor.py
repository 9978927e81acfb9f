"""What works here and the fix for the rest; the checks run beside the app, which waits for none of them."""

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
    """One thing that was looked at."""

    @property
    def name(self) -> str:
        """Return what was looked at."""
        ...

    @property
    def is_ok(self) -> bool:
        """Return whether it works."""
        ...

    @property
    def detail(self) -> str:
        """Return what was found."""
        ...

    @property
    def fix(self) -> str:
        """Return what mends it."""
        ...


Examine = Callable[[], Sequence[Finding]]


class DoctorScreen(BaseScreen[None]):
    """Show the findings, those to mend first."""

    CSS_PATH = "../screens.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("r", "again", "Check again"),
        Binding("c", "copy", "Copy"),
        Binding("e", "errors", "Errors"),
        Binding("escape,q", "dismiss(None)", "Back"),
    ]

    def __init__(
        self, examine: Examine, known: Sequence[Finding] = (), open_errors: Callable[[], None] = lambda: None
    ) -> None:
        super().__init__()
        self._open_errors = open_errors
        self._examine = examine
        self._found = known

    def compose(self) -> ComposeResult:
        """Yield the findings."""
        yield TooSmall()
        yield Static("Doctor: what works on this machine", classes="topbar", markup=False)
        with VerticalScroll(id="doctor"):
            yield Static(CHECKING, id="findings", markup=False)
        yield KeyFooter()

    def on_mount(self) -> None:
        """Show what is known, or find out."""
        self.query_one("#doctor").focus()
        if self._found:
            self._show(self._found)
        else:
            self._check()

    def action_again(self) -> None:
        """Run the checks again."""
        self.query_one("#findings", Static).update(CHECKING)
        self._check()

    def action_copy(self) -> None:
        """Hand the findings to the clipboard; the app says how."""
        self.app.copy_to_clipboard(findings_content(self._found).plain)

    def action_errors(self) -> None:
        """Show what went wrong on the app's side."""
        self._open_errors()

    def _check(self) -> None:
        run_in_background(self, self._examine, self._show, self._complain)

    def _complain(self, error: Exception) -> None:
        self.query_one("#findings", Static).update(advice(error))

    def _show(self, found: Sequence[Finding]) -> None:
        self._found = found
        self.query_one("#findings", Static).update(findings_content(found))


def findings_content(found: Sequence[Finding]) -> Content:
    """Return all findings, those to mend first, each in words and with its fix."""
    lines: list[Content] = []
    for finding in sorted(found, key=lambda finding: finding.is_ok):
        mark = ("ok  ", "$text-success") if finding.is_ok else ("no  ", "bold $text-error")
        lines.append(Content.assemble(mark, (finding.name, "bold"), f": {printable(finding.detail)}"))
        if not finding.is_ok and finding.fix:
            lines.append(Content(f"    Fix: {printable(finding.fix)}"))
    if any(not finding.is_ok for finding in found):
        lines += [Content(""), Content(OFFLINE_WORKS)]
    return Content("\n").join(lines)
