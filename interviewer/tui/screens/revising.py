"""The candidate's second thoughts in an interview: an answer taken back, a part skipped, a finding appealed.

The screen draws what comes of them; no key alone leaves behind what was typed and not sent.
"""

from __future__ import annotations

from collections.abc import Callable

from textual.message import Message

from interviewer.session import phrases
from interviewer.session.second_thoughts import take_back_price
from interviewer.session.state import Awaiting
from interviewer.tui.screens.dialogs import Choice, ChoiceScreen
from interviewer.tui.screens.layout import LayoutScreen
from interviewer.tui.widgets.answer_box import AnswerBox
from interviewer.tui.widgets.code_editor import CodeEditor
from interviewer.tui.widgets.rubric import PointRow

_STANDS = Choice("stands", "Let it stand", "go on with the interview")
_STAY = Choice("stay", "Stay", "go on with this part")
_SKIP = Choice("skip", "Skip", "this part will not be asked again")
_TAKE_BACK = Choice("take_back", "Take it back", "the reply goes, too")


class Revised(Message):
    """Something that was said or found has changed: draw anew."""


class RevisingScreen(LayoutScreen):
    """Ask what a second thought needs to know, and log it."""

    def action_take_back(self) -> None:
        """Put the last answer back into the box; once its reply was shown, say first what that costs."""
        if self.interview.session.awaiting is Awaiting.ASSESSMENT:
            self._take_back(phrases.TAKEN_BACK)
        elif self.query_one(AnswerBox).text.strip():
            self.notify("You have begun to reply, so your last answer stands.", markup=False)
        else:
            title, price = "Take your last answer back?", take_back_price(self.interview.session)
            self.app.push_screen(ChoiceScreen(title, price, [_STANDS, _TAKE_BACK]), self._choose)

    def action_skip(self) -> None:
        """Leave this part; ask first when an answer or code was typed that nobody has got yet."""
        if not self._unsent():
            self._revise(self.interview.skip)
            return
        text = f"{self._unsent()} It is kept, and nothing judges it."
        self.app.push_screen(ChoiceScreen("Skip this part?", text, [_STAY, _SKIP]), self._skip)

    def on_point_row_appealing(self, message: PointRow.Appealing) -> None:
        """Ask for the reason of an appeal."""
        from interviewer.tui.screens.ask import AskScreen

        drill, point = self.interview.session.drill, message.point

        def take(why: str | None) -> None:
            if why is not None and why != drill.appeal_of(point):
                self._revise(lambda: self.interview.appeal(drill.question, point, why))

        self.app.push_screen(AskScreen("Appeal", phrases.APPEAL, drill.appeal_of(point)), take)

    def _unsent(self) -> str:
        """Return a sentence on what was typed and not sent, "" when there is none."""
        if self.query_one(AnswerBox).text.strip():
            return "What stands in the answer box has not been sent."
        if not self.is_task:
            return ""
        work, code = self.interview.session.work, self.query_one(CodeEditor).text
        known = (self.interview.session.task(work.task).starter, *(one.source for one in work.attempts))
        return "" if code in known else "Your code has not been submitted as it stands."

    def _skip(self, choice: str | None) -> None:
        if choice == "skip":
            self._revise(self.interview.skip)

    def _choose(self, choice: str | None) -> None:
        if choice == "take_back":
            self._take_back(phrases.TAKEN_BACK_LATE)

    def _take_back(self, told: str) -> None:
        box = self.query_one(AnswerBox)
        text = box.with_back(self.interview.session.last_said(by_interviewer=False))
        if self._revise(lambda: self.interview.take_back(text)):
            self.become_busy("")
            box.text = text
            box.move_cursor(box.document.end)
            self.notify(told, markup=False)

    def _revise(self, act: Callable[[], None]) -> bool:
        is_told = self.tell(act)
        self.post_message(Revised())
        return is_told
