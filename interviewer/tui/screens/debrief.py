"""The debrief of one session, made from its state alone, to read, copy and save."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import Screen
from textual.widgets import Footer, Static

from interviewer.session.debrief import debrief
from interviewer.session.state import Session
from interviewer.tui.printable import printable
from interviewer.tui.widgets.safe_markdown import SafeMarkdown
from interviewer.tui.widgets.too_small import TooSmall


class DebriefScreen(Screen[None]):
    """Show what was heard, where it stopped and what to practise."""

    CSS_PATH = "../screens.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("s", "save", "Save as file"),
        Binding("c", "copy", "Copy"),
        Binding("escape,q", "dismiss(None)", "Back"),
    ]

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._text = debrief(session)

    def compose(self) -> ComposeResult:
        """Yield the text."""
        yield TooSmall()
        yield Static(f"Session {self._session.id}", classes="topbar", markup=False)
        with VerticalScroll(id="debrief"):
            yield SafeMarkdown(printable(self._text))
        yield Footer()

    def on_mount(self) -> None:
        """Let the arrow keys scroll."""
        self.query_one("#debrief").focus()

    def action_copy(self) -> None:
        """Hand the Markdown to the terminal's clipboard."""
        self.app.copy_to_clipboard(self._text)
        self.notify("Sent to the terminal's clipboard. If it stays empty, s saves a file.", markup=False)

    def action_save(self) -> None:
        """Write the Markdown to the current folder."""
        path = Path.cwd() / f"interviewer-{self._session.id}.md"
        try:
            path.write_text(self._text, encoding="utf-8", errors="replace")
        except OSError as error:
            self.notify(f"{path}: {error.strerror}. Start interviewer in a folder you can write to, or copy with c.",
                        title="Not saved", severity="error", markup=False)  # fmt: skip
            return
        self.notify(str(path), title="Saved", markup=False)
