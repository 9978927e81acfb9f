"""The interview: draws the session and passes on what the candidate does; typing never waits for the driver."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.widgets import Button, TextArea

from interviewer.interview.runner import Interview
from interviewer.session.assessment import State
from interviewer.session.move import MoveKind
from interviewer.session.policy import hint_price
from interviewer.session.state import Awaiting, SelfMark
from interviewer.tui import messages
from interviewer.tui.printable import in_words, printable
from interviewer.tui.screens.dialogs import Choice, ChoiceScreen
from interviewer.tui.screens.possible import CANDIDATES_TURN, possibility
from interviewer.tui.screens.revising import RevisingScreen
from interviewer.tui.screens.session import Settled
from interviewer.tui.widgets.answer_box import AnswerBox
from interviewer.tui.widgets.clock import Clock
from interviewer.tui.widgets.code_editor import CodeEditor
from interviewer.tui.widgets.line import Line
from interviewer.tui.widgets.markdown import SafeMarkdown
from interviewer.tui.widgets.plan_view import PlanView
from interviewer.tui.widgets.rubric import SelfMarks
from interviewer.tui.widgets.status import StateLine, countdown_text
from interviewer.tui.widgets.transcript import Transcript
from interviewer.tui.widgets.verdict_view import VerdictView

ANSWER_SLOT = "answer"
_STAY = Choice("stay", "Stay", "go on with the interview")
_LEAVE = Choice("leave", "Leave", "all is saved, continue later")
_END = Choice("end", "End it", "no more parts, then the debrief")


class InterviewScreen(RevisingScreen):
    """Hold one interview, question parts and task parts alike."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s", "submit", "Submit", id="interview.submit"),
        Binding("ctrl+s", "confirm", "Confirm", id="interview.submit"),
        Binding("ctrl+s", "open_debrief", "Debrief", id="interview.submit"),
        Binding("f8", "hint", "Hint", id="interview.hint"),
        Binding("f9", "skip", "Skip", id="interview.skip"),
        # With priority: the answer box selects its text with this key, and here it is empty.
        Binding("f7", "take_back", "Take back", id="interview.take_back", priority=True),
        Binding("escape", "back", "Leave", id="interview.back"),
        Binding("f5", "go_live", "Let an observer join", show=False, id="interview.live"),
        Binding("ctrl+r", "end", "End", show=False, id="interview.end"),
    ]

    AUTO_FOCUS = "#answer"

    def __init__(self, interview: Interview) -> None:
        super().__init__(interview)
        self._part_drawn = -1
        self._is_sending_next = False
        self._model_back_at = 0.0

    async def on_mount(self) -> None:
        """Bring the drafts back, draw, and let the driver go on where the log ends."""
        # On plain lines it may have been typed with keys that leave their codes in it.
        box = self.query_one(AnswerBox)
        box.text = printable(self.interview.draft(ANSWER_SLOT))
        box.move_cursor(box.document.end)
        if self.interview.door:
            self.action_go_live()
        self.set_interval(1.0, self._tick)
        await self._draw()
        self.settle()

    def let_go(self) -> None:
        """Take the texts as they stand, also letters typed a moment ago, and let go."""
        self.drafts.note(ANSWER_SLOT, self.query_one(AnswerBox).text)
        self.note_code()
        super().let_go()

    # What the driver says.

    async def on_words_begun(self, message: messages.WordsBegun) -> None:
        """Open a turn for the words to come."""
        self.become_busy("speaking")
        await self._draw()
        await self.query_one(Transcript).begin(message.move.kind)
        if message.move.kind is not MoveKind.TASK and self.is_task:
            self.show_talk()

    def on_words_came(self, message: messages.WordsCame) -> None:
        """Show more words."""
        self.query_one(Transcript).write(message.text)

    async def on_words_ended(self) -> None:
        """Show the last words."""
        await self.query_one(Transcript).end()

    def on_busy_changed(self, message: messages.BusyChanged) -> None:
        """Say what the wait is for."""
        self.become_busy(message.what)
        self._tick()

    def on_wait_asked(self, message: messages.WaitAsked) -> None:
        """Begin to count down, or end it."""
        self._model_back_at = time.monotonic() + message.seconds
        self._tick()
        if message.seconds:
            # From now on: the clock's own ticks would come in mid-second, and skip the last one.
            self.set_interval(1.0, self._tick, repeat=int(message.seconds))

    def on_noticed(self, message: messages.Noticed) -> None:
        """Show a remark of the driver."""
        self.notify(message.text, markup=False, timeout=10)

    async def on_settled(self, message: Settled) -> None:
        """Give the turn to the candidate, and send what was waiting for it."""
        self.driver_has_settled()
        is_sending, self._is_sending_next = self._is_sending_next, False
        await self.query_one(Transcript).show(self.interview.session.transcript)
        await self.query_one(Transcript).drop_unfinished()
        if is_sending and self.interview.session.awaiting in CANDIDATES_TURN:
            self._send(self.query_one(AnswerBox).text)
        await self._draw()

    async def on_revised(self) -> None:
        """Draw what is left after a second thought."""
        await self._draw()

    # What the candidate does.

    def on_answer_box_sent(self, message: AnswerBox.Sent) -> None:
        """Send the answer, at once or when the interviewer has finished."""
        if not message.text.strip():
            self.notify("Nothing to send yet. Type an answer; F8 gives a hint, F9 skips.", markup=False)
        elif self.interview.session.awaiting in CANDIDATES_TURN:
            self._send(message.text)
        else:
            self._is_sending_next = True
            self._tick()

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        """Keep what is being typed."""
        if isinstance(event.text_area, AnswerBox):
            self.drafts.note(ANSWER_SLOT, event.text_area.text)
        else:
            self.note_code()

    def on_self_marks_confirmed(self, message: SelfMarks.Confirmed) -> None:
        """Pass the marks on."""
        states = {True: State.SHOWN, False: State.MISSING}
        marks = tuple(SelfMark(point, states[is_covered]) for point, is_covered in message.covered.items())
        self._tell_and_draw(lambda: self.interview.mark(marks))

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Open the debrief."""
        self.action_open_debrief()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return whether an action is possible now; None greys its key out."""
        return possibility(action, self.interview.session)

    def action_submit(self) -> None:
        """Submit the code."""
        source = self.query_one(CodeEditor).text
        if source.strip():
            self._tell_and_draw(lambda: self.interview.submit(source))
        else:
            self.notify("The editor is empty: there is nothing to grade.", markup=False)

    def action_confirm(self) -> None:
        """Confirm the marks."""
        self.query_one(SelfMarks).confirm()

    def action_open_debrief(self) -> None:
        """Leave for the debrief."""
        self.leave(debrief_of=self.interview.session)

    def action_hint(self) -> None:
        """Ask for a hint."""
        self._tell_and_draw(self.interview.hint)

    def action_back(self) -> None:
        """Stop what the interviewer does, or take back what is being judged; if nothing runs, ask whether to leave."""
        self._is_sending_next = False
        if self.interview.session.awaiting is Awaiting.ASSESSMENT:
            self.action_take_back()
        elif self.is_driving:
            self.interview.stop()
        elif self.interview.session.is_over:
            self.leave()
        else:
            text = "Everything is saved. Time away from the interview does not count."
            self.app.push_screen(ChoiceScreen("Leave the interview?", text, [_STAY, _LEAVE, _END]), self._do_choice)

    def action_end(self) -> None:
        """Ask whether to end the session."""
        text = "The parts that are left will not be asked. This cannot be taken back."
        self.app.push_screen(ChoiceScreen("End the interview?", text, [_STAY, _END]), self._do_choice)

    def action_go_live(self) -> None:
        """Let an observer join, and say how."""
        try:
            self.interview.go_live()
        except Exception as error:
            self.complain(error)
        if door := self.interview.door:
            self.notify(door.invitation, title="An observer may join and watch you type", markup=False, timeout=8)
        self._tick()

    # Drawing.

    async def _draw(self) -> None:
        session = self.interview.session
        await self.query_one(Transcript).show(session.transcript)
        if session.part != self._part_drawn:
            self._part_drawn = session.part
            self._enter_part()
        self.query_one(PlanView).show(session, self.interview.spend)
        attempts = session.work.attempts if self.is_task else ()
        self.query_one(VerdictView).show(attempts[-1] if attempts else None, len(attempts))
        await self._draw_marks()
        self.set_class(session.is_over, "-over")
        if session.is_over:
            self.set_focus(self.query_one("#open-debrief"))
        self._tick()
        self.refresh_bindings()

    async def _draw_marks(self) -> None:
        session = self.interview.session
        is_marking = session.awaiting is Awaiting.SELF_MARKS
        self.set_class(is_marking, "-marking")
        if is_marking and self.query(SelfMarks):
            self.query_one(SelfMarks).show(session.drill)
        if is_marking and not self.query(SelfMarks):
            question = session.question(session.drill.question)
            await self.query_one("#left").mount(SelfMarks(question, session.drill))
        elif not is_marking and self.query(SelfMarks):
            await self.query(SelfMarks).remove()
            self.set_focus(self.query_one(CodeEditor if self.is_task else AnswerBox))

    def _show_where(self) -> None:
        session, part, door = self.interview.session, self.interview.session.current_part, self.interview.door
        where = f"Part {session.part + 1} of {len(session.plan.parts)} · {in_words(part.id)}" if part else "Finished"
        self.query_one("#where", Line).say(f"{door.line()} · {where}" if door else where)
        if door and not self.is_driving and door.is_wanted(session):
            self.settle()

    def _enter_part(self) -> None:
        session = self.interview.session
        self.set_class(self.is_task, "-task", "-statement")
        if not self.is_task:
            self.set_focus(self.query_one(AnswerBox))
            return
        task = session.task(session.work.task)
        self.query_one("#statement-text", SafeMarkdown).update(task.statement)
        self.open_code(task)
        self.action_view("code" if self.is_wide else "statement")

    def _tick(self) -> None:
        session = self.interview.session
        self.keep_clock()
        self._show_where()
        busy, waited = self._busy, time.monotonic() - self._busy_since
        if busy and (left := self._model_back_at - time.monotonic()) > 0:
            busy, waited = countdown_text(busy, left), 0.0
        self.query_one(Clock).show(self.interview.seconds_left, session.plan.minutes)
        state = self.query_one(StateLine)
        price = hint_price(session)
        state.show(session.awaiting, busy, waited, is_sending_next=self._is_sending_next, hint_price=price)

    def _send(self, text: str) -> None:
        if self._tell_and_draw(lambda: self.interview.answer(text)):
            self.query_one(AnswerBox).take_out(text)

    def _tell_and_draw(self, act: Callable[[], None]) -> bool:
        is_told = self.tell(act)
        self.call_later(self._draw)
        return is_told

    def _do_choice(self, choice: str | None) -> None:
        if choice == "leave":
            self.leave()
        elif choice == "end":
            self._tell_and_draw(self.interview.end)
