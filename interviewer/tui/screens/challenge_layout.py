"""The challenge's layout: statement or attempts on the left, code on the right; a pause hides all three."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Button, Footer

from interviewer.tui.external_editor import edit_outside
from interviewer.tui.screens.dialogs import Choice, ChoiceScreen
from interviewer.tui.screens.session import StageScreen
from interviewer.tui.widgets.clock import CHALLENGE_WARNINGS, Clock
from interviewer.tui.widgets.code_editor import CodeEditor
from interviewer.tui.widgets.find_line import is_on_code
from interviewer.tui.widgets.line import Line
from interviewer.tui.widgets.markdown import SafeMarkdown
from interviewer.tui.widgets.status import StateLine
from interviewer.tui.widgets.too_small import TooSmall
from interviewer.tui.widgets.verdict import AttemptList, AttemptsView
from interviewer.tui.widgets.view_strip import CHALLENGE_VIEWS, ViewStrip


class ChallengeLayoutScreen(StageScreen):
    """Place the widgets. A wide screen shows the code beside statement or attempts, a narrow one one of the three."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f2", "view('statement')", "Statement", show=False, priority=True, id="challenge.statement"),
        Binding("f3", "view('code')", "Code", show=False, priority=True, id="challenge.code"),
        Binding("f4", "view('attempts')", "Attempts", show=False, priority=True, id="challenge.attempts"),
        Binding("ctrl+o", "edit_outside", "Open in $EDITOR", show=False, id="challenge.editor"),
        Binding("f12", "copy_code", "Copy the code", show=False, id="challenge.copy"),
        Binding("ctrl+t", "reset", "Back to the starter", show=False, id="challenge.reset"),
    ]
    _starter = ""

    def compose(self) -> ComposeResult:
        """Yield bar, views, the three of them, the cover of a pause, and the footer."""
        yield TooSmall()
        with Horizontal(classes="topbar"):
            yield Line("where")
            yield Clock(CHALLENGE_WARNINGS)
        yield ViewStrip(CHALLENGE_VIEWS)
        with Horizontal(id="body"):
            with Vertical(id="left"):
                with VerticalScroll(id="statement"):
                    yield SafeMarkdown(id="statement-text")
                yield AttemptsView()
            with Vertical(id="right"):
                yield CodeEditor()
        with Vertical(id="paused"):
            yield Line("paused-text")
            yield Button("Go on", id="go-on", compact=True)
        yield StateLine()
        yield Footer(show_command_palette=False)

    def on_view_strip_chosen(self, message: ViewStrip.Chosen) -> None:
        """Show the clicked view."""
        self.action_view(message.view)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Let a narrow screen show the side that has the focus."""
        self.set_class(is_on_code(event.widget), "-on-code")
        self._mark_view()

    def action_view(self, view: str) -> None:
        """Show statement, code or attempts, and put the cursor there."""
        if view == "code":
            self.set_focus(self.query_one(CodeEditor))
            return
        self.set_class(view == "attempts", "-attempts")
        attempts = self.query_one(AttemptList)
        # Without attempts nothing there can have the cursor; it stays where it is and the view is shown all the same.
        target = attempts if view == "attempts" and attempts.display else self.query_one("#statement")
        self.set_focus(target if target.display else None)
        self.remove_class("-on-code")
        self._mark_view()

    def show_statement(self) -> None:
        """Show the statement; on a wide screen the cursor is in the code beside it."""
        self.action_view("statement")
        if self.is_wide:
            self.action_view("code")

    def show_attempts(self) -> None:
        """Show the attempts; on a wide screen the cursor stays in the code beside them."""
        if self.is_wide:
            self.add_class("-attempts")
            self._mark_view()
        else:
            self.action_view("attempts")

    def action_edit_outside(self) -> None:
        """Take the code through the user's own editor."""
        editor = self.query_one(CodeEditor)
        try:
            changed = edit_outside(self.app, editor.text, ".py")
        except Exception as error:
            self.complain(error)
        else:
            self.put_code(changed)

    def action_copy_code(self) -> None:
        """Hand the code to the clipboard; the app says how."""
        self.app.copy_to_clipboard(self.query_one(CodeEditor).text)

    def action_reset(self) -> None:
        """Ask whether to put the starter back."""
        choices = [Choice("stay", "Keep my code"), Choice("reset", "Back to the starter", "ctrl+z brings it back")]
        self.app.push_screen(ChoiceScreen("Back to the starter?", "Attempts stay as they are.", choices), self._reset)

    def _reset(self, choice: str | None) -> None:
        if choice == "reset":
            self.put_code(self._starter)

    def put_code(self, source: str) -> None:
        """Replace the code by an edit, so that undo brings the old one back."""
        editor = self.query_one(CodeEditor)
        editor.replace(source, editor.document.start, editor.document.end)
        editor.move_cursor((0, 0))

    def _mark_view(self) -> None:
        left = "attempts" if self.has_class("-attempts") else "statement"
        if self.is_wide:
            self.query_one(ViewStrip).show({left, "code"})
        else:
            self.query_one(ViewStrip).show({"code" if self.has_class("-on-code") else left})
