"""An observer's view of a running session: shows the poller's reports, and forwards questions and marks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.markup import escape
from textual.message import Message
from textual.widgets import Button, Static

from interviewer.interview.observer_client import (
    ActionFailed,
    Observation,
    ObservationFailed,
    ObserverPoller,
    PollerMessage,
    QuestionSent,
    Rejoined,
    Snapshot,
    length_error,
    rubric_rows,
)
from interviewer.session.debrief import debrief
from interviewer.session.phrases import pluralize
from interviewer.session.state import Awaiting
from interviewer.tui import bindings
from interviewer.tui.screens.base_screen import BaseScreen, TooSmall
from interviewer.tui.screens.dialogs import Choice, ChoiceScreen, PromptScreen
from interviewer.tui.screens.reading import ReadingScreen
from interviewer.tui.terminal import WIDE_COLUMNS
from interviewer.tui.text_format import advice, printable
from interviewer.tui.widgets.answer_box import AnswerBox
from interviewer.tui.widgets.code_editor import CodeMirror
from interviewer.tui.widgets.lists import KeyFooter
from interviewer.tui.widgets.rubric import RubricView
from interviewer.tui.widgets.status import Clock, TextLine, ViewStrip, part_text
from interviewer.tui.widgets.transcript import Transcript
from interviewer.tui.widgets.verdict import VerdictView

TYPED_CHARACTERS_MAX = 480
_NOW = {
    Awaiting.WORDS: "The interviewer is speaking",
    Awaiting.ANSWER: "The candidate is answering",
    Awaiting.ASSESSMENT: "The examiner is judging the answer",
    Awaiting.SUBMISSION: "The candidate is writing code",
    Awaiting.VERDICT: "The grader is running the code",
    Awaiting.SELF_MARKS: "The candidate is marking their own answer",
    Awaiting.OFFER: "The candidate is choosing whether to answer one more question",
    Awaiting.NOTHING: "The session is over. Press enter for the debrief.",
}
VIEWS = {"code": "F3 Code", "talk": "F4 Talk", "rubric": "F6 Results"}
_STAY = Choice("stay", "Stay", "keep watching")
SESSION_CLOSED = "The session is closed to observers. To enter a new token, press esc."
_OVER = "The session is over. You can no longer send questions or marks."
_TOKEN = Choice("token", "Enter a new token", "if the candidate reopened the session")
_LEAVE = Choice("leave", "Leave", "you can rejoin with the same token")


class ObserverScreen(BaseScreen[None]):
    """Observe a session; dismissed when the observer leaves."""

    CSS_PATH = ["../screens.tcss", "../observer.tcss"]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = bindings.OBSERVER
    COMMANDS_WITHOUT_KEY: ClassVar[Sequence[tuple[str, str]]] = (("Enter a new token", "rejoin"),)
    AUTO_FOCUS = "#answer"

    @dataclass
    class Admitted(Message):
        """The observer was admitted to the session with this token."""

        token: str
        who: str

    @dataclass
    class Reported(Message):
        """The `ObserverPoller` sent a report, such as a new snapshot or an error."""

        report: PollerMessage

    def __init__(self, observation: Observation) -> None:
        super().__init__()
        self._seen = observation
        self._poller = ObserverPoller(observation, lambda report: self.post_message(self.Reported(report)))
        self._sight: Snapshot | None = None
        self._lost = ""
        self._is_asking = False
        # None means that the view follows the current question.
        self._at: int | None = None

    def compose(self) -> ComposeResult:
        """Yield the top bar, the views, the question field and the footer."""
        yield TooSmall()
        with Horizontal(classes="topbar"):
            yield TextLine("where")
            yield Clock()
        yield ViewStrip(VIEWS)
        with Horizontal(id="body"):
            with Vertical(id="see-talk"):
                yield Transcript("Candidate")
                yield Static("", id="typing", markup=False)
            with Vertical(id="see-work"):
                with Vertical(id="see-code"):
                    yield VerdictView()
                    yield CodeMirror()
                yield RubricView()
        box = AnswerBox()
        box.placeholder = "Type the interviewer's next question"
        yield box
        yield Button("Open the debrief", id="open-debrief", compact=True)
        yield TextLine("state")
        yield KeyFooter(show_command_palette=False)

    def on_mount(self) -> None:
        """Fill in the lines that do not depend on the poller's reports, and start the poller."""
        self.query_one("#where", TextLine).set_text(
            f"Session {self._seen.id} · watching as {printable(self._seen.who)}"
        )
        self._draw_state()
        # The app only sets the size classes at the first resize, which comes after the first frame.
        self.set_class(self.app.size.width < WIDE_COLUMNS, "-narrow")
        self.action_view("talk")
        self.run_worker(self._poller.run, thread=True, exit_on_error=False, group="poller")
        self.post_message(self.Admitted(self._seen.token, self._seen.who))

    def on_unmount(self) -> None:
        """Stop the poller no matter how the screen closes; this also tells the candidate that the observer has left."""
        self._poller.stop()

    @property
    def _is_over(self) -> bool:
        return self._sight is not None and self._sight.session.is_over

    # Poller reports.

    async def on_observer_screen_reported(self, message: Reported) -> None:
        """Draw a snapshot, or show the outcome of an action."""
        match message.report:
            case Snapshot() as sight:
                self._sight, self._lost = sight, ""
                await self._draw(sight)
            case ObservationFailed(error) as failed:
                reason = advice(error).splitlines()[0]
                self._lost = SESSION_CLOSED if failed.is_closed else f"Connection lost, retrying every second. {reason}"
            case ActionFailed(error):
                self._is_asking = False
                self.notify(advice(error), title="Not accepted", severity="error", markup=False, timeout=12)
            case QuestionSent(text):
                self._is_asking = False
                # Clear the text only after the question has been sent, so that a question that did not reach the log
                # can be sent again.
                self.query_one(AnswerBox).take_out(text)
            case Rejoined(token):
                self.post_message(self.Admitted(token, self._seen.who))
        self._draw_state()

    # Observer actions.

    def on_answer_box_sent(self, message: AnswerBox.Sent) -> None:
        """Queue the question for the interviewer."""
        why_not = _OVER if self._is_over else length_error(message.text)
        if why_not:
            self.notify(why_not, markup=False)
        elif message.text.strip() and not self._is_asking:
            self._is_asking = True
            self._poller.ask(message.text)

    def on_answer_box_paged(self, message: AnswerBox.Paged) -> None:
        """Scroll the transcript."""
        self.query_one(Transcript).turn_pages(message.pages)

    def on_rubric_view_ticked(self, message: RubricView.Ticked) -> None:
        """Record the mark."""
        if self._is_over:
            self.notify(_OVER, markup=False)
            return
        self._poller.tick(message.question, message.point, message.state)

    def on_view_strip_chosen(self, message: ViewStrip.Chosen) -> None:
        """Show the clicked view."""
        self.action_view(message.view)

    def on_resize(self, event: events.Resize) -> None:
        """Update which views are open."""
        self._mark_views()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return whether an action is possible now; None grays out its key."""
        return action != "rejoin" or not self._is_over

    def action_view(self, view: str) -> None:
        """Show and focus the transcript, the code or the rubric."""
        for name in VIEWS:
            self.set_class(name == view, f"-see-{name}")
        talk = "#open-debrief" if self._is_over else "#answer"
        self.set_focus(self.query_one({"talk": talk, "code": "#code", "rubric": "#rubric"}[view]))
        self._mark_views()

    def on_rubric_view_turned(self, message: RubricView.Turned) -> None:
        """Show the rubric of the previous or the next question, up to the current question."""
        if self._sight is None:
            return
        last = len(self._sight.questions) - 1
        at = min(last, max(0, (last if self._at is None else self._at) + message.step))
        self._at = None if at == last else at
        self._draw_rubric(self._sight)

    def action_rejoin(self) -> None:
        """Ask for a new token for this session."""
        text = f"Enter the token for session {self._seen.id}; it is on the candidate's screen."
        self.app.push_screen(PromptScreen("New token", text, ""), self._rejoin)

    def _rejoin(self, token: str | None) -> None:
        if token:
            self._poller.rejoin(token)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Show the debrief."""
        if self._sight is not None:
            text = debrief(self._sight.session)
            self.app.push_screen(ReadingScreen(f"Session {self._seen.id}", text))

    def action_back(self) -> None:
        """Ask whether to leave or to enter a new token."""
        text = "Your questions and marks are saved in the candidate's log."
        choices = [_STAY, _LEAVE, *([] if self._is_over else [_TOKEN])]
        self.app.push_screen(ChoiceScreen("Stop watching?", text, choices), self._do_choice)

    def _do_choice(self, choice: str | None) -> None:
        if choice == "leave":
            self.dismiss()
        elif choice == "token":
            self.action_rejoin()

    # Drawing.

    async def _draw(self, sight: Snapshot) -> None:
        session = sight.session
        part = session.current_part
        self.query_one("#where", TextLine).set_text(f"{part_text(session)} · watching as {printable(self._seen.who)}")
        self.query_one(Clock).show(sight.seconds_left, session.plan.minutes, "" if part else "over")
        await self.query_one(Transcript).show(session.transcript)
        typed = sight.drafts.get("answer", "") if part else ""
        typing = self.query_one("#typing", Static)
        typing.set_class(bool(typed.strip()), "-typed")
        typing.update(f"Candidate is typing: {last_lines(typed)}")
        self._draw_work(sight)
        self._draw_rubric(sight)
        self.set_class(session.is_over, "-over")
        if session.is_over and isinstance(self.focused, AnswerBox):
            self.set_focus(self.query_one("#open-debrief"))
        self.refresh_bindings()

    def _draw_work(self, sight: Snapshot) -> None:
        session = sight.session
        is_task = session.is_in_task
        if is_task:
            task = session.task(session.work.task)
            self.query_one(CodeMirror).show(sight.drafts.get("code", "") or task.starter)
            self.query_one(CodeMirror).border_title = escape(printable(task.title))
        self.set_class(is_task, "-task")
        attempts = session.work.attempts if session.works else ()
        self.query_one(VerdictView).show(attempts)

    def _draw_rubric(self, sight: Snapshot) -> None:
        if sight.questions:
            at = len(sight.questions) - 1 if self._at is None else self._at
            question = sight.questions[at]
            rows = list(rubric_rows(sight.session, question, sight.marks))
            self.query_one(RubricView).show(question, rows, at + 1, len(sight.questions))

    def _draw_state(self) -> None:
        waiting = self._sight.waiting if self._sight else 0
        awaiting = self._sight.session.awaiting if self._sight else None
        line = self.query_one("#state", TextLine)
        line.set_class(bool(self._lost), "-busy")
        line.set_text(state_text(awaiting, waiting, self._lost))

    def _mark_views(self) -> None:
        is_wide = self.app.size.width >= WIDE_COLUMNS
        is_open = set(VIEWS) if is_wide else {name for name in VIEWS if self.has_class(f"-see-{name}")}
        if is_wide and not self.has_class("-task"):
            is_open -= {"code"}
        self.query_one(ViewStrip).show(is_open)


def state_text(awaiting: Awaiting | None, waiting: int, lost: str) -> str:
    """Return the current activity and the number of queued questions, or the reason that the session cannot be read.

    After the session, the questions that are still queued were not asked.
    """
    if lost:
        return printable(lost)
    text = _NOW[awaiting] if awaiting else "One moment …"
    if not waiting:
        return text
    outcome = "not asked" if awaiting is Awaiting.NOTHING else "queued for the next turn"
    return f"{text} · {pluralize(waiting, 'question')} {outcome}"


def last_lines(typed: str) -> str:
    """Return the end of the text that is being typed."""
    text = printable(typed)
    return text if len(text) <= TYPED_CHARACTERS_MAX else f"… {text[-TYPED_CHARACTERS_MAX:]}"
