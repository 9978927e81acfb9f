"""The interview's layout: what is where, which view is open, where the cursor goes; it knows sizes and no moves."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Button, Footer, TextArea

from interviewer.tui.external_editor import edit_outside
from interviewer.tui.screens.possible import is_in_task
from interviewer.tui.screens.session import StageScreen
from interviewer.tui.widgets.answer_box import AnswerBox
from interviewer.tui.widgets.clock import Clock
from interviewer.tui.widgets.code_editor import CodeEditor
from interviewer.tui.widgets.find_line import is_on_code
from interviewer.tui.widgets.line import Line
from interviewer.tui.widgets.markdown import SafeMarkdown
from interviewer.tui.widgets.plan_view import PlanView
from interviewer.tui.widgets.status import StateLine
from interviewer.tui.widgets.too_small import TooSmall
from interviewer.tui.widgets.transcript import Transcript, transcript_text
from interviewer.tui.widgets.verdict_view import VerdictView
from interviewer.tui.widgets.view_strip import ViewStrip


class LayoutScreen(StageScreen):
    """Place the widgets. A wide screen shows the code beside statement or talk, a narrow one shows one of the three."""

    BINDINGS: ClassVar[list[BindingType]] = [
        # With priority, so that the letters typed behind the key arrive where it moves the cursor.
        Binding("f2", "view('statement')", "Statement", show=False, priority=True, id="interview.statement"),
        Binding("f3", "view('code')", "Code", show=False, priority=True, id="interview.code"),
        Binding("f4", "view('talk')", "Talk", show=False, priority=True, id="interview.talk"),
        Binding("ctrl+o", "edit_outside", "Open in $EDITOR", show=False, id="interview.editor"),
        Binding("f12", "copy", "Copy code or transcript", show=False, id="interview.copy"),
    ]

    def compose(self) -> ComposeResult:
        """Yield bar, views and footer; the stylesheet shows what the screen's classes name."""
        yield TooSmall()
        with Horizontal(classes="topbar"):
            yield Line("where")
            yield Clock()
        yield ViewStrip()
        with Horizontal(id="body"):
            with Vertical(id="left"):
                with VerticalScroll(id="statement"):
                    yield SafeMarkdown(id="statement-text")
                with Vertical(id="talk"):
                    yield VerdictView()
                    yield Transcript()
                    yield AnswerBox()
                    yield Button("Open the debrief", id="open-debrief", compact=True)
            with Vertical(id="right"):
                yield PlanView()
                yield CodeEditor()
        yield StateLine()
        yield Footer(show_command_palette=False)

    def on_view_strip_chosen(self, message: ViewStrip.Chosen) -> None:
        """Show the clicked view."""
        self.action_view(message.view)

    def on_answer_box_paged(self, message: AnswerBox.Paged) -> None:
        """Scroll the transcript."""
        self.query_one(Transcript).turn_pages(message.pages)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Let a narrow screen show the side that has the focus."""
        self.set_class(is_on_code(event.widget), "-on-code")
        self._mark_view()

    def action_view(self, view: str) -> None:
        """Show the statement, the code or the talk, and put the cursor there."""
        if view == "code":
            self.add_class("-on-code")
            self.set_focus(self.query_one(CodeEditor))
        elif view == "talk":
            self.remove_class("-on-code", "-statement")
            self.set_focus(self.query_one(AnswerBox))
        else:
            self.remove_class("-on-code").add_class("-statement")
            self.set_focus(self.query_one("#statement"))

    def action_edit_outside(self) -> None:
        """Take code or answer through the user's own editor."""
        area: TextArea = self.query_one(CodeEditor) if self.has_class("-on-code") else self.query_one(AnswerBox)
        suffix = ".py" if isinstance(area, CodeEditor) else ".md"
        try:
            area.text = edit_outside(self.app, area.text, suffix)
        except Exception as error:
            self.complain(error)

    def action_copy(self) -> None:
        """Hand the code, when the cursor is in it, or else the transcript to the clipboard; the app says how."""
        code, talk = self.query_one(CodeEditor), self.interview.session.transcript
        text = code.text if is_on_code(self.focused) else transcript_text(talk)
        self.app.copy_to_clipboard(text)

    @property
    def is_task(self) -> bool:
        """Return whether the part that runs is a coding task."""
        return is_in_task(self.interview.session)

    def show_talk(self) -> None:
        """Show the talk; on a wide screen the cursor may stay in the code."""
        if self.is_wide:
            self.remove_class("-statement")
            self._mark_view()
        else:
            self.action_view("talk")

    def _mark_view(self) -> None:
        left = "statement" if self.has_class("-statement") else "talk"
        if self.is_wide:
            self.query_one(ViewStrip).show({left, "code"})
        else:
            self.query_one(ViewStrip).show({"code" if self.has_class("-on-code") else left})
