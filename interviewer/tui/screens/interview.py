"""The interview screen: draws the session and forwards user actions. Typing never blocks on the runner."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.message import Message
from textual.widgets import Button, Input, TextArea

from interviewer.interview.runner import Interview
from interviewer.session import phrases
from interviewer.session.assessment import State
from interviewer.session.move import MoveKind
from interviewer.session.policy import hint_price, unnamed_report
from interviewer.session.revisions import take_back_cost, take_back_refusal
from interviewer.session.state import Awaiting, SelfMark, Session, TaskWork
from interviewer.tui import bindings, messages
from interviewer.tui.external_editor import open_external_editor
from interviewer.tui.screens.base_screen import TooSmall
from interviewer.tui.screens.dialogs import Choice, ChoiceScreen, PromptScreen
from interviewer.tui.screens.reading import solution_screen
from interviewer.tui.screens.session import RunnerIdle, SessionScreen
from interviewer.tui.text_format import printable
from interviewer.tui.typing_guard import TypingGuard
from interviewer.tui.widgets.answer_box import AnswerBox
from interviewer.tui.widgets.code_editor import CodeEditor, is_on_code
from interviewer.tui.widgets.lists import KeyFooter
from interviewer.tui.widgets.markdown import SafeMarkdown
from interviewer.tui.widgets.rubric import PointRow, SelfMarks
from interviewer.tui.widgets.status import Clock, PlanView, StateLine, TextLine, ViewStrip, countdown_text, part_text
from interviewer.tui.widgets.transcript import Transcript, transcript_text
from interviewer.tui.widgets.verdict import VerdictView

if TYPE_CHECKING:
    from interviewer.interview.context import AppContext

CANDIDATES_TURN = frozenset({Awaiting.ANSWER, Awaiting.SUBMISSION})
ANSWER_SLOT = "answer"
HELD = "Passed. F3: your code. ctrl+r: code and solution. Press enter to continue."
HELD_AT_OFFER = "Passed. F3: your code. ctrl+r: solution. Press enter to accept or decline."
AFTER_PASS = "Passed. Answer, or press F9 to move on. ctrl+r: your code and the solution."
DOUBTED = "The interviewer doubts your answer and is waiting for a reply. Skipping this last part ends the interview."
_STANDS = Choice("stands", "Keep it", "continue the interview")
_TAKE_BACK = Choice("take_back", "Retract it", "the interviewer's reply is removed, too")
_STAY_IN_PART = Choice("stay", "Stay", "continue this part")
_SKIP = Choice("skip", "Skip", "this part will not be asked again")
_STAY = Choice("stay", "Stay", "continue the interview")
_LEAVE = Choice("leave", "Leave", "everything is saved; resume later")
_END = Choice("end", "End it", "skip the remaining parts and show the debrief")
_KEEP_LIVE = Choice("keep", "Keep it open", "observers can join with the command above")
_END_LIVE = Choice("end_live", "Close it", "observers can no longer watch or send anything")
_MORE = Choice("more", "Answer it", "the clock is running")
_ENOUGH = Choice("enough", "Finish", "show the debrief")


class Revised(Message):
    """The candidate retracted an answer, skipped a part or appealed, so the screen must be redrawn."""


class InterviewScreen(SessionScreen):
    """An interview with questions and coding tasks.

    A wide screen shows the code next to the statement or the transcript; a narrow screen shows only one of these views.
    After a pass, a narrow screen shows the code above the statement or the transcript, so that the code stays in view.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings.INTERVIEW
    COMMANDS_WITHOUT_KEY: ClassVar[Sequence[tuple[str, str]]] = (("End the interview", "end"),)
    AUTO_FOCUS = "#answer"

    def __init__(self, interview: Interview, context: AppContext) -> None:
        super().__init__(interview)
        self._app_context = context
        self.answer_box = AnswerBox()
        self._part_drawn = -1
        self._is_sending_next = False
        self._model_back_at = 0.0
        self._is_submitted = False
        # A task that was passed and whose follow-up has been answered; its code stays until the candidate continues.
        self._held: TaskWork | None = None
        self._is_going_on = False
        self._is_task_drawn = False
        self._is_offering = False
        # The points to mark may appear while the candidate is typing.
        self._marks_guard = TypingGuard()
        # The app's notices since the candidate's last action, oldest first, and the reason why the app is waiting for
        # the model.
        self._notices: list[str] = []
        self._why_retry = ""

    def compose(self) -> ComposeResult:
        """Yield the top bar, the views and the footer; the screen's classes determine which of them are visible."""
        yield TooSmall()
        with Horizontal(classes="topbar"):
            yield TextLine("where")
            yield Clock()
        yield ViewStrip()
        with Horizontal(id="body"):
            with Vertical(id="left"):
                with VerticalScroll(id="statement"):
                    yield SafeMarkdown(id="statement-text")
                with Vertical(id="talk"):
                    yield VerdictView()
                    yield Transcript()
                    yield self.answer_box
                    yield Button("Open the debrief", id="open-debrief", compact=True)
            with Vertical(id="right"):
                yield PlanView()
                yield self.code_editor
        yield TextLine(id="app-notice")
        yield StateLine()
        yield KeyFooter(show_command_palette=False)

    async def on_mount(self) -> None:
        """Restore the drafts, draw the screen, and let the runner continue where the log ends."""
        # A draft typed in plain mode may contain control characters.
        box = self.answer_box
        box.text = printable(self.interview.draft(ANSWER_SLOT))
        box.move_cursor(box.document.end)
        if self.interview.live:
            self._go_live()
        self.set_interval(1.0, self.tick)
        await self._draw()
        self.run_until_input()

    def close(self) -> None:
        """Save the answer and the code, including the latest keystrokes, and close."""
        # Before the screen is mounted, the box is still empty, and saving it would overwrite the draft in the log.
        if self.is_mounted:
            self.drafts.note(ANSWER_SLOT, self.answer_box.text)
        self.save_code_draft()
        super().close()

    # Runner messages.

    async def on_speech_started(self, message: messages.SpeechStarted) -> None:
        """Start a new turn in the transcript."""
        self.become_busy("speaking")
        await self._draw()
        await self.query_one(Transcript).begin(message.move.kind)
        if message.move.kind is MoveKind.OBSERVER and not self.is_wide and is_on_code(self.focused):
            # Nobody pressed a key for this message, and moving the focus would split what is being typed.
            self.notify("An observer asks a question. Press F4 to read it.", markup=False)
        elif message.move.kind is not MoveKind.TASK and self.is_task:
            self.show_talk(is_asked=self._is_submitted and bool(message.move.words))

    def on_speech_chunk(self, message: messages.SpeechChunk) -> None:
        """Append text to the current turn."""
        self.query_one(Transcript).write(message.text)

    async def on_speech_finished(self) -> None:
        """Finish the current turn."""
        await self.query_one(Transcript).end()

    def on_busy_changed(self, message: messages.BusyChanged) -> None:
        """Show what the candidate is waiting for."""
        self.become_busy(message.what)
        self.tick()

    def on_model_wait_changed(self, message: messages.ModelWaitChanged) -> None:
        """Start or end the countdown to the next retry; the reason is only shown during the wait."""
        self._model_back_at = time.monotonic() + message.seconds
        if message.seconds:
            # The notice that explains a wait is posted right before the wait.
            self._why_retry = self._notices.pop() if self._notices else ""
        else:
            self._why_retry = ""
        self._draw_notice()
        self.tick()
        if message.seconds:
            # Start the ticks now, because the clock's regular ticks come mid-second and would skip the last second of
            # the countdown.
            self.set_interval(1.0, self.tick, repeat=int(message.seconds))

    def on_notice_posted(self, message: messages.NoticePosted) -> None:
        """Show a message from the runner below the transcript, until the next one or the candidate's next action."""
        self._notices.append(printable(message.text))
        self._draw_notice()

    async def on_runner_idle(self, message: RunnerIdle) -> None:
        """Give the turn back to the candidate, and send a queued answer."""
        self.become_idle()
        is_sending, self._is_sending_next = self._is_sending_next, False
        await self.query_one(Transcript).show(self.interview.session.transcript)
        await self.query_one(Transcript).drop_unfinished()
        text = self.answer_box.text
        if is_sending and text.strip() and self.interview.session.awaiting in CANDIDATES_TURN:
            self._send(text)
        await self._draw()
        self._return_to_code()

    async def on_revised(self) -> None:
        """Redraw after a retraction, a skip or an appeal."""
        await self._draw()

    # User actions.

    def on_answer_box_sent(self, message: AnswerBox.Sent) -> None:
        """Send the answer, or queue it until the interviewer has finished.

        After a pass, first close the view of the passed task's code.
        """
        if self._held is not None and not self.is_driving:
            self._leave_held_code()
            if not message.text.strip():
                return
        if self.interview.session.awaiting is Awaiting.OFFER:
            return  # the dialog decides what happens next; the typed text stays in the box
        if not message.text.strip():
            self.notify("Nothing to send yet. Type an answer, or press F8 for a hint or F9 to skip.", markup=False)
        elif self.interview.session.awaiting in CANDIDATES_TURN:
            self._send(message.text)
        else:
            self._is_sending_next = True
            self.tick()

    def on_key(self, event: events.Key) -> None:
        """Keep typed text in the answer box when the points to mark appear, so that typing does not mark any points."""
        if not self._marks_guard.is_on:
            return
        if event.is_printable or event.key == "enter":
            self._marks_guard.extend()
            event.stop()
            if event.is_printable and event.character:
                self.answer_box.insert(event.character)
        elif event.key != "backspace":
            # Any other key, such as an arrow key, shows that the candidate has stopped typing and has seen the points.
            self._marks_guard.stop()

    def key_enter(self) -> None:
        """Close the view of a passed task's code, unless the focus is on a widget that uses this key."""
        if self._held is not None and not self.is_driving and not isinstance(self.focused, Input):
            self._leave_held_code()

    def _leave_held_code(self) -> None:
        self._go_on()
        self.call_later(self._draw)

    def on_answer_box_paged(self, message: AnswerBox.Paged) -> None:
        """Scroll the transcript."""
        self.query_one(Transcript).turn_pages(message.pages)

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        """Save the draft while the candidate types. An answer that is deleted is no longer queued."""
        if isinstance(event.text_area, AnswerBox):
            self.drafts.note(ANSWER_SLOT, event.text_area.text)
            if self._is_sending_next and not event.text_area.text.strip():
                self._is_sending_next = False
                self.tick()
        else:
            self.save_code_draft()

    def on_self_marks_confirmed(self, message: SelfMarks.Confirmed) -> None:
        """Record the candidate's own marks."""
        states = {True: State.SHOWN, False: State.MISSING}
        marks = tuple(SelfMark(point, states[is_covered]) for point, is_covered in message.covered.items())
        self._tell_and_draw(lambda: self.interview.mark(marks))

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Open the debrief."""
        self.action_open_debrief()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return whether an action is possible now; None grays out its key."""
        if self._held is not None and action in {"submit", "hint", "skip", "edit_outside"}:
            return False
        if self._held is not None and action in {"solution", "view"}:
            return True
        if action == "judge_offline":
            return self.interview.is_model_judging
        return action_state(action, self.interview.session)

    def action_submit(self) -> None:
        """Submit the code."""
        source = self.code_editor.text
        if source.strip():
            if self._tell_and_draw(lambda: self.interview.submit(source)):
                # Switch to the view in which the interviewer will ask the next question. Moving the focus later would
                # split the user's input between two widgets.
                self._is_submitted = True
                self.action_view("talk")
        else:
            self.notify("The editor is empty. Write some code, then submit.", markup=False)

    def action_solution(self) -> None:
        """Show the solution of the task that was passed."""
        work = self._held or self.interview.session.work
        try:
            task = self._app_context.task(work.task)
        except Exception as error:
            self.show_error(error)
        else:
            self.app.push_screen(solution_screen(task, work))

    def action_confirm(self) -> None:
        """Confirm the marks."""
        # The session awaits the marks a moment before they are drawn.
        if self.query(PointRow):
            self.query_one(SelfMarks).confirm()

    def action_open_debrief(self) -> None:
        """Leave the screen and open the debrief."""
        self.leave(debrief_of=self.interview.session)

    def action_hint(self) -> None:
        """Ask for a hint."""
        self._tell_and_draw(self.interview.hint)

    def action_back(self) -> None:
        """Interrupt the interviewer, or retract an answer that is being judged; otherwise ask whether to leave."""
        self._is_sending_next = False
        if self.interview.session.awaiting is Awaiting.ASSESSMENT and not self.is_task:
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
        text = "The remaining parts will be skipped. This cannot be undone."
        self.app.push_screen(ChoiceScreen("End the interview?", text, [_STAY, _END]), self._do_choice)

    def action_go_live(self) -> None:
        """Open the session to observers and show the join command; if already open, ask whether to close it."""
        if live := self.interview.live:
            text = f"{live.invitation}\n{live.status()}"
            self.app.push_screen(
                ChoiceScreen("Observers can watch you type", text, [_KEEP_LIVE, _END_LIVE]), self._do_choice
            )
        else:
            self._go_live()

    def _go_live(self) -> None:
        try:
            self.interview.go_live()
        except Exception as error:
            self.show_error(error)
        if live := self.interview.live:
            self.notify(live.invitation, title="An observer can now join and watch you type", markup=False, timeout=8)
        self.tick()

    def action_judge_offline(self) -> None:
        """Stop waiting for the model: the offline examiner judges this answer."""
        self.interview.judge_offline()

    def action_edit_outside(self) -> None:
        """Edit the code or the answer in the user's own editor."""
        area: TextArea = self.code_editor if self.has_class("-on-code") else self.answer_box
        suffix = ".py" if isinstance(area, CodeEditor) else ".md"
        try:
            changed = open_external_editor(self.app, area.text, suffix)
        except Exception as error:
            self.show_error(error)
        else:
            # Make a single edit, so that undo restores the earlier text.
            area.replace(changed, area.document.start, area.document.end)
            area.move_cursor((0, 0) if isinstance(area, CodeEditor) else area.document.end)

    def action_copy(self) -> None:
        """Copy the code if it has the focus, otherwise the transcript; the app reports which method it used."""
        code, talk = self.code_editor, self.interview.session.transcript
        text = code.text if is_on_code(self.focused) else transcript_text(talk)
        self.app.copy_to_clipboard(text)

    # Retracting answers, skipping parts and appealing findings. No single key press may discard unsent text.

    def action_take_back(self) -> None:
        """Put the last answer back into the answer box.

        If the interviewer has already replied, show what retracting the answer costs, and ask for confirmation first.
        """
        if self.interview.session.awaiting is Awaiting.ASSESSMENT:
            self._take_back(phrases.TAKEN_BACK)
        elif self.answer_box.text.strip():
            self.notify("You have started a reply, so you can no longer retract your last answer.", markup=False)
        else:
            title, price = "Retract your last answer?", take_back_cost(self.interview.session)
            self.app.push_screen(ChoiceScreen(title, price, [_STANDS, _TAKE_BACK]), self._choose)

    def action_skip(self) -> None:
        """Skip this part.

        Ask for confirmation first if the candidate has an unsent answer or unsubmitted code, or if the interviewer
        doubts the last answer and the candidate could no longer reply.
        """
        reasons = [f"{self._unsent()} If you skip, your draft is saved but not judged."] if self._unsent() else []
        reasons += [DOUBTED] if self._ends_doubted() else []
        if not reasons:
            self._skip("skip")
            return
        text = "\n".join(reasons)
        self.app.push_screen(ChoiceScreen("Skip this part?", text, [_STAY_IN_PART, _SKIP]), self._skip)

    def on_point_row_appealing(self, message: PointRow.Appealing) -> None:
        """Ask for the reason for an appeal."""
        drill, point = self.interview.session.drill, message.point

        def take(why: str | None) -> None:
            if why is not None and why != drill.appeal_of(point):
                self._revise(lambda: self.interview.appeal(drill.question, point, why))

        self.app.push_screen(PromptScreen("Appeal", phrases.APPEAL, drill.appeal_of(point)), take)

    def _unsent(self) -> str:
        """Return a sentence about unsent text, or "" if there is none."""
        if self.answer_box.text.strip():
            return "You have an unsent answer."
        if not self.is_task:
            return ""
        work, code = self.interview.session.work, self.code_editor.text
        known = (self.interview.session.task(work.task).starter, *(attempt.source for attempt in work.attempts))
        return "" if code in known else "You have unsubmitted code changes."

    def _ends_doubted(self) -> bool:
        """Return whether skipping would end the interview before the candidate replies to a doubt or a challenge."""
        session = self.interview.session
        is_doubted = session.answered is not None and session.answered.kind in (MoveKind.DOUBT, MoveKind.CHALLENGE)
        is_last = session.part == len(session.plan.parts) - 1
        return is_doubted and not self.is_task and is_last and not session.has_time_for_offer

    def _skip(self, choice: str | None) -> None:
        if choice == "skip":
            self._is_going_on = True
            self._revise(self.interview.skip)

    def _choose(self, choice: str | None) -> None:
        if choice == "take_back":
            self._take_back(phrases.TAKEN_BACK_LATE)

    def _take_back(self, told: str) -> None:
        # A queued answer is the text in the box, so the retracted answer would be sent again.
        self._is_sending_next = False
        box = self.answer_box
        text = box.with_back(self.interview.session.last_said(by_interviewer=False))
        if self._revise(lambda: self.interview.take_back(text)):
            self.become_busy("")
            box.text = text
            box.move_cursor(box.document.end)
            self.notify(told, markup=False)

    def _revise(self, act: Callable[[], None]) -> bool:
        self._drop_notices()
        is_told = self.record_action(act)
        self.post_message(Revised())
        return is_told

    # Switching views.

    def on_view_strip_chosen(self, message: ViewStrip.Chosen) -> None:
        """Show the clicked view."""
        self.action_view(message.view)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """On a narrow screen, show the side that has the focus."""
        self.set_class(is_on_code(event.widget), "-on-code")
        self._mark_view()

    def action_view(self, view: str) -> None:
        """Show and focus the statement, the code or the transcript."""
        if view == "code":
            self.add_class("-on-code")
            self.set_focus(self.code_editor)
        elif view == "talk":
            self.remove_class("-on-code", "-statement")
            self.set_focus(self.answer_box)
        else:
            self.remove_class("-on-code").add_class("-statement")
            self.set_focus(self.query_one("#statement"))

    @property
    def is_task(self) -> bool:
        """Return whether the current part is a coding task."""
        return self.interview.session.is_in_task

    def show_talk(self, *, is_asked: bool) -> None:
        """Show the transcript, and focus the answer box if a question is asked about a submission.

        Otherwise, the focus stays on code that is still in view.
        """
        if self.is_wide and not is_asked and is_on_code(self.focused):
            self.remove_class("-statement")
            self._mark_view()
        else:
            self.action_view("talk")

    def _return_to_code(self) -> None:
        """If no question about a submission is open, move the focus back to the code, if the code is still in view."""
        session, is_submitted = self.interview.session, self._is_submitted
        self._is_submitted = self._is_submitted and session.awaiting not in CANDIDATES_TURN
        is_asked = session.answered is not None and bool(session.answered.words)
        is_unused = self.answer_box.has_focus and not self.answer_box.text
        if is_submitted and session.awaiting is Awaiting.SUBMISSION and not is_asked and self.is_wide and is_unused:
            self.set_focus(self.code_editor)

    def _mark_view(self) -> None:
        self.mark_view("statement" if self.has_class("-statement") else "talk")

    # Drawing.

    async def _draw(self) -> None:
        session = self.interview.session
        await self.query_one(Transcript).show(session.transcript)
        if session.part != self._part_drawn:
            self._hold_or_enter()
        self.query_one(PlanView).show(session, self.interview.usage_text)
        self.set_class(self._held is not None or session.is_asked_after_pass, "-passed")
        self._mark_view()
        work = self._held or (session.work if self.is_task else None)
        attempts = work.attempts if work is not None else ()
        self.query_one(VerdictView).show(attempts, is_named=unnamed_report(session) is None)
        await self._draw_marks()
        self.set_class(session.is_over, "-over")
        if session.is_over:
            self.set_focus(self.query_one("#open-debrief"))
        self.tick()
        self.refresh_bindings()
        self._offer()

    def _offer(self) -> None:
        """Offer a spare question as soon as the session has one, unless a passed task's code is still on screen."""
        session = self.interview.session
        offered = session.offered
        if self._is_offering or self._held is not None or session.awaiting is not Awaiting.OFFER or offered is None:
            return
        self._is_offering = True
        text = printable(session.last_said(by_interviewer=True).rpartition("\n\n")[2])
        offer = ChoiceScreen("Plan complete", text, [_MORE, _ENOUGH], opens_unasked=True)
        self.app.push_screen(offer, self._take_offer)

    def _take_offer(self, choice: str | None) -> None:
        self._is_offering = False
        if choice is None:
            self.action_back()
        else:
            self._tell_and_draw(self.interview.ask_more if choice == "more" else self.interview.end)

    async def _draw_marks(self) -> None:
        session = self.interview.session
        is_marking = session.awaiting is Awaiting.SELF_MARKS
        self.set_class(is_marking, "-marking")
        if is_marking and self.query(SelfMarks):
            self.query_one(SelfMarks).show(session.drill)
        if is_marking and not self.query(SelfMarks) and self.is_live:
            question = session.question(session.drill.question)
            self._marks_guard.start()
            await self.query_one("#left").mount(SelfMarks(question, session.drill))
        elif not is_marking and self.query(SelfMarks):
            self._marks_guard.stop()
            await self.query(SelfMarks).remove()
            self._focus_part()

    def _show_where(self) -> None:
        session, live = self.interview.session, self.interview.live
        where = part_text(session)
        self.query_one("#where", TextLine).set_text(f"{live.status()} · {where}" if live else where)
        if live and not self.is_driving and live.has_pending_note(session):
            self.run_until_input()

    def _hold_or_enter(self) -> None:
        """Go on to the new part of the interview.

        If the last answer ended a task that was passed, first keep the task's code on screen.
        """
        session = self.interview.session
        is_from_task = self._is_task_drawn
        left = next((work for work in reversed(session.works) if work.is_over), None)
        if is_from_task and left is not None and left.has_passed and not self._is_going_on:
            self._held = left
            self.code_editor.read_only = True
        else:
            self._go_on()

    def _go_on(self) -> None:
        """Enter the current part."""
        self._held, self._is_going_on = None, False
        self.code_editor.read_only = False
        self._part_drawn = self.interview.session.part
        self._enter_part()

    def _enter_part(self) -> None:
        session = self.interview.session
        self._is_task_drawn = self.is_task
        self.set_class(self.is_task, "-task", "-statement")
        if not self.is_task:
            self._focus_part()
            return
        task = session.task(session.work.task)
        self.query_one("#statement-text", SafeMarkdown).update(task.statement)
        self.open_code(task)
        self._focus_part()

    def _focus_part(self) -> None:
        """Focus the widget that a new part begins with: the answer box, the statement, or the code next to it."""
        if self.is_task:
            self.action_view("code" if self.is_wide else "statement")
        else:
            self.set_focus(self.answer_box)

    def tick(self) -> None:
        """Draw everything that changes with time: the clock, whose turn it is, and the length of a wait."""
        session = self.interview.session
        self.keep_clock()
        self._show_where()
        busy, waited = self._busy, time.monotonic() - self._busy_since
        if self.is_task and busy in ("listening", "judging"):
            busy = "explaining"
        if busy and (left := self._model_back_at - time.monotonic()) > 0:
            busy, waited = countdown_text(busy, left), 0.0
        over = "over" if session.is_over else ""
        self.query_one(Clock).show(self.interview.seconds_left, session.plan.minutes, over)
        state = self.query_one(StateLine)
        price = hint_price(session)
        if self._held is not None and session.awaiting in {*CANDIDATES_TURN, Awaiting.OFFER} and not busy:
            state.remove_class("-busy")
            state.set_text(HELD_AT_OFFER if session.awaiting is Awaiting.OFFER else HELD)
        elif session.is_asked_after_pass and session.awaiting is Awaiting.SUBMISSION and not busy:
            state.remove_class("-busy")
            state.set_text(AFTER_PASS)
        else:
            state.show(session.awaiting, busy, waited, is_sending_next=self._is_sending_next, hint_price=price)

    def _drop_notices(self) -> None:
        self._notices = []
        self._draw_notice()

    def _draw_notice(self) -> None:
        text = self._why_retry or next(reversed(self._notices), "")
        line = self.query_one("#app-notice", TextLine)
        line.update(text)
        line.set_class(bool(text), "-shown")

    def _send(self, text: str) -> None:
        if self._tell_and_draw(lambda: self.interview.answer(text)):
            self.answer_box.take_out(text)

    def _tell_and_draw(self, act: Callable[[], None]) -> bool:
        self._drop_notices()
        is_told = self.record_action(act)
        self.call_later(self._draw)
        return is_told

    def _do_choice(self, choice: str | None) -> None:
        if choice in {"stay", None}:
            self._offer()
        elif choice == "leave":
            self.leave()
        elif choice == "end":
            self._is_going_on = True
            self._tell_and_draw(self.interview.end)
        elif choice == "end_live":
            try:
                self.interview.end_live()
            except Exception as error:
                self.show_error(error)
            self.tick()


def action_state(action: str, session: Session) -> bool | None:
    """Return True if the action is possible, None if it will be possible soon, and False if it does not apply."""
    is_marking = session.awaiting is Awaiting.SELF_MARKS
    if action == "confirm":
        return is_marking
    if action == "open_debrief":
        return session.is_over
    if action == "take_back":
        return not take_back_refusal(session)
    if action == "end":
        return not session.is_over
    if action == "solution":
        return session.has_passed_task
    if action in {"submit", "view"} and not session.is_in_task:
        return False
    if action in {"hint", "skip", "submit"}:
        if session.is_over or is_marking or session.current_part is None:
            return False
        return session.awaiting in CANDIDATES_TURN or None
    return True
