"""The screen for a missed point after the interview.

The screen shows the bank's text with a model's explanation, or asks the question again.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Static

from interviewer.session import phrases
from interviewer.session.debrief import escape_markdown, practice_result
from interviewer.session.results import Lesson
from interviewer.session.state import Explanation, PracticeTry, Session
from interviewer.tui.background import run_in_background
from interviewer.tui.screens.base_screen import BaseScreen, TooSmall
from interviewer.tui.screens.session import Drafts
from interviewer.tui.text_format import advice, printable
from interviewer.tui.widgets.answer_box import AnswerBox
from interviewer.tui.widgets.lists import KeyFooter
from interviewer.tui.widgets.markdown import SafeMarkdown
from interviewer.tui.widgets.status import TextLine

if TYPE_CHECKING:
    from interviewer.interview.teaching import Teacher


class TeachScreen(BaseScreen[None]):
    """Explain a point or, with `is_trying`, ask the question of the point's rung again. Nothing here is scored.

    Leaving the screen cancels the call to the model; an unsent answer is saved.
    """

    CSS_PATH = "../screens.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", "Back")]

    def __init__(self, session: Session, teacher: Teacher, lesson: Lesson, *, is_trying: bool) -> None:
        super().__init__()
        self._session = session
        self._teacher = teacher
        self._lesson = lesson
        self._is_trying = is_trying
        # The answer that is being judged; before it is sent, it is part of the draft.
        self._sent = ""
        self._drafts = Drafts(self._save_draft, self.set_timer)
        self._has_left = threading.Event()
        asked = f"Asked at rung {lesson.rung}: {escape_markdown(lesson.asked)}"
        self._text = asked if is_trying else "\n\n".join([asked, *_bank_text(lesson)])

    def compose(self) -> ComposeResult:
        """Yield the text, and the answer box if the question is asked again."""
        title = self._session.question(self._lesson.ref.question).title
        yield TooSmall()
        yield Static(f"Practice, not scored · {title}", classes="topbar", markup=False)
        with VerticalScroll(id="debrief"):
            yield SafeMarkdown(printable(self._text), draws_formulas=False)
        yield TextLine("debrief-note")
        if self._is_trying:
            yield AnswerBox()
        yield KeyFooter()

    def on_mount(self) -> None:
        """Restore the unsent answer, or ask the model for an explanation."""
        if self._is_trying:
            box = self.query_one(AnswerBox)
            box.text = printable(self._teacher.draft(self._session, self._lesson))
            box.move_cursor(box.document.end)
            box.focus()
            self._note(phrases.TRY_AGAIN)
            return
        self.query_one("#debrief").focus()
        if self._teacher.model is None:
            self._note(phrases.NO_EXPLANATION)
            return
        self._note("The model is writing an explanation … You can leave at any time.")
        run_in_background(
            self,
            lambda: self._teacher.explain(self._session, self._lesson, self._has_left.is_set),
            self._show_explanation,
            self._fail,
        )

    def on_unmount(self) -> None:
        """Save the draft, and stop waiting for the model."""
        self._drafts.flush()
        self._has_left.set()

    def on_text_area_changed(self) -> None:
        """Save the draft while the candidate types."""
        self._note_draft()

    def _note_draft(self) -> None:
        typed = (self._sent, self.query_one(AnswerBox).text)
        self._drafts.note("", "\n".join(part for part in typed if part))

    def on_answer_box_sent(self, message: AnswerBox.Sent) -> None:
        """Send the answer to be judged."""
        if self._sent or not message.text.strip():
            return
        self._sent = message.text
        self.query_one(AnswerBox).take_out(message.text)
        self._note("Your answer is being judged …")
        run_in_background(
            self,
            lambda: self._teacher.try_again(self._session, self._lesson, message.text, self._has_left.is_set),
            self._show_result,
            self._fail,
        )

    def on_answer_box_paged(self, message: AnswerBox.Paged) -> None:
        """Scroll the text."""
        scroll = self.query_one("#debrief")
        scroll.scroll_relative(y=message.pages * max(1, scroll.size.height - 2), animate=False)

    def _show_explanation(self, explanation: Explanation | None) -> None:
        if explanation is None:
            cap = self._teacher.cap_reason(self._session)
            self._note(f"No explanation: {cap}." if cap else phrases.EXPLANATION_UNUSABLE)
            return
        self._add(
            f"## {escape_markdown(phrases.explained_by(explanation.author))}\n\n{escape_markdown(explanation.text)}"
        )
        self._note("")

    def _show_result(self, attempt: PracticeTry) -> None:
        self._sent = ""
        self._note_draft()
        lines = practice_result(self._session, attempt)
        self._add(f"You: “{escape_markdown(attempt.text)}”\n\n" + "\n".join(lines))
        self._note(phrases.TRY_AGAIN)

    def _fail(self, error: Exception) -> None:
        if self._is_trying:
            box = self.query_one(AnswerBox)
            box.text, self._sent = box.with_back(self._sent), ""
        self._note(f"The model did not answer. {' '.join(advice(error).split())}")

    def _save_draft(self, _: str, text: str) -> bool:
        try:
            self._teacher.save_draft(self._session, self._lesson, text)
        except Exception as error:
            self.notify(advice(error), title="Not saved", severity="error", markup=False)
            return False
        return True

    def _add(self, text: str) -> None:
        self._text = f"{self._text}\n\n{text}"
        self.query_one(SafeMarkdown).update(printable(self._text))
        self.call_after_refresh(self.query_one("#debrief").scroll_end, animate=False)

    def _note(self, text: str) -> None:
        line = self.query_one("#debrief-note", TextLine)
        line.set_text(text)
        line.set_class(bool(text), "-shown")


def _bank_text(lesson: Lesson) -> list[str]:
    """Return what the bank says about a point, as paragraphs of Markdown."""
    return [
        f"**The point:** {escape_markdown(lesson.says)}",
        f"A full answer there: {escape_markdown(lesson.answer)}",
        f"Source: {escape_markdown('; '.join(lesson.source))}",
    ]
