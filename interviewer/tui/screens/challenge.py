"""A timed challenge: asks before actions that cost credit, and reports when time is up."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.await_complete import AwaitComplete
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Button, Input, TextArea

from interviewer.interview.challenge import (
    Challenge,
    after_pass_lines,
    code_block,
    may_show_solution,
    result_lines,
    unified_diff,
)
from interviewer.session.phrases import verdict_text
from interviewer.session.state import Attempt, Awaiting, Session, TaskWork
from interviewer.tui import bindings, messages
from interviewer.tui.background import run_in_background
from interviewer.tui.external_editor import open_external_editor
from interviewer.tui.screens.base_screen import TooSmall
from interviewer.tui.screens.dialogs import Choice, ChoiceScreen
from interviewer.tui.screens.reading import ReadingScreen, solution_screen
from interviewer.tui.screens.session import RunnerIdle, SessionScreen
from interviewer.tui.text_format import minutes_text, printable
from interviewer.tui.widgets.code_editor import CodeEditor, is_on_code
from interviewer.tui.widgets.lists import KeyFooter
from interviewer.tui.widgets.markdown import SafeMarkdown
from interviewer.tui.widgets.status import (
    CHALLENGE_VIEWS,
    CHALLENGE_WARNINGS,
    UNTIMED,
    Clock,
    StateLine,
    TextLine,
    ViewStrip,
    warnings_passed,
)
from interviewer.tui.widgets.verdict import AttemptList, AttemptsView, attempt_name

if TYPE_CHECKING:
    from interviewer.interview.context import AppContext
    from interviewer.log.progress import Progress

STAY = Choice("stay", "Stay", "continue the task")
TAKE = Choice("take", "Take the hint")
SKIP = Choice("skip", "Skip", "you can then open the solution")
LEAVE = Choice("leave", "Leave", "resume later")
END = Choice("end", "End it", "your last submission counts")
GO_ON = Choice("go-on", "Continue untimed", "later submissions are marked untimed")
HELD = "Passed. The clock is stopped. enter: next task, ctrl+r: solution, F3: your code."
PAUSED = "Paused. Your code is hidden.\nPress F5 or enter to resume."


class ChallengeScreen(SessionScreen):
    """A challenge with one or more tasks.

    A wide screen shows the code next to the statement or the attempts; a narrow screen shows only one of these views. A
    pause hides every view.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings.CHALLENGE
    COMMANDS_WITHOUT_KEY: ClassVar[Sequence[tuple[str, str]]] = (
        ("Reset to starter code", "reset"),
        ("End the challenge", "end"),
    )
    AUTO_FOCUS = "#code"

    def __init__(self, challenge: Challenge, context: AppContext) -> None:
        super().__init__(challenge)
        self.challenge = challenge
        self._app_context = context
        self._practice: Progress | None = None
        self._starter = ""
        self._part_drawn = -1
        self._hints_drawn = -1
        self._warned: set[int] = set()
        self._is_time_up_told = False
        # The number of a passed task whose code stays on screen while the clock is stopped.
        self._held: int | None = None

    def compose(self) -> ComposeResult:
        """Yield the top bar, the views, the pause cover, and the footer."""
        yield TooSmall()
        with Horizontal(classes="topbar"):
            yield TextLine("where")
            yield Clock(CHALLENGE_WARNINGS)
        yield ViewStrip(CHALLENGE_VIEWS)
        with Horizontal(id="body"):
            with Vertical(id="left"):
                with VerticalScroll(id="statement"):
                    yield SafeMarkdown(id="statement-text")
                yield AttemptsView()
                yield Button("Next task", id="next-task", compact=True)
                yield Button("Open the debrief", id="open-debrief", compact=True)
            with Vertical(id="right"):
                yield self.code_editor
        with Vertical(id="paused"):
            yield TextLine("paused-text")
            yield Button("Resume", id="go-on", compact=True)
        yield StateLine()
        yield KeyFooter(show_command_palette=False)

    def on_mount(self) -> None:
        """Draw the screen, and let the runner resume from the end of the log."""
        self.add_class("-task")
        self._warned = set(warnings_passed(self.challenge.seconds_left, self.challenge.session.plan.minutes))
        self.set_interval(1.0, self.tick)
        self._draw()
        self._read_practice()
        self.run_until_input()

    def _read_practice(self) -> None:
        def show(practice: Progress) -> None:
            self._practice = practice
            self._draw()

        # Best times are optional: the challenge works without them.
        run_in_background(self, self._app_context.progress, show, lambda _: None)

    def close(self) -> None:
        """Save the code, including the most recent key presses, and close."""
        self.save_code_draft()
        super().close()

    # Handlers for the runner's messages. The interviewer's words are shown only in interviews; a challenge shows
    # verdicts and hints based on its state.

    def on_speech_finished(self) -> None:
        """Redraw after a message."""
        self._draw()

    def on_busy_changed(self, message: messages.BusyChanged) -> None:
        """Show what the candidate is waiting for."""
        self.become_busy(message.what)
        self._draw()

    def on_notice_posted(self, message: messages.NoticePosted) -> None:
        """Show a message from the runner."""
        self.notify(message.text, markup=False, timeout=10)

    def on_runner_idle(self, message: RunnerIdle) -> None:
        """Let the candidate act again."""
        self.become_idle()
        self._draw()

    # User actions.

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        """Save the draft while the candidate types."""
        self.save_code_draft()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Resume after a pause, go on to the next task, or open the debrief."""
        if event.button.id == "next-task":
            self._go_on()
        elif event.button.id == "open-debrief":
            self.action_open_debrief()
        else:
            self.action_pause()

    def on_attempts_view_compared(self, message: AttemptsView.Compared) -> None:
        """Show the diff between two attempts; the first attempt is compared with the starter."""
        attempts = self._work.attempts
        sources = [self._starter, *(attempt.source for attempt in attempts)]
        names = [
            "starter" if place == 0 else attempt_name(attempts, place) for place in (message.before, message.after)
        ]
        diff = unified_diff(sources[message.before], sources[message.after], *names)
        self.app.push_screen(ReadingScreen(f"From {names[0]} to {names[1]}", code_block(diff, "diff"), diff))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return whether an action is possible now; None means that its key is grayed out."""
        session = self.challenge.session
        if action == "end":
            return not session.is_over
        if action == "solution":
            return any(work.is_over for work in session.works)
        if self._held is not None and action in {"submit", "hint", "skip", "pause", "reset", "edit_outside"}:
            return False
        if action in {"submit", "hint", "skip", "pause", "reset", "edit_outside"}:
            is_closed = session.is_over or (self.challenge.is_paused and action != "pause")
            return False if is_closed else session.awaiting is Awaiting.SUBMISSION or None
        is_covered = self.challenge.is_paused and self._held is None
        return not (is_covered and action in {"view", "copy"})

    def action_submit(self) -> None:
        """Submit the code."""
        source = self.code_editor.text
        if source.strip():
            if self.record_action(lambda: self.challenge.submit(source)):
                # The list can only be focused once it contains the attempt.
                self._draw()
                self.show_attempts()
        else:
            self.notify("The editor is empty. Write some code, then submit.", markup=False)

    def action_pause(self) -> None:
        """Pause and hide everything, or resume."""
        if self.challenge.is_paused:
            self.challenge.resume()
        else:
            self.challenge.pause()
            self.keep_clock(every_seconds=0)
        self.set_class(self.challenge.is_paused, "-paused")
        self.set_focus(self.query_one("#go-on" if self.challenge.is_paused else CodeEditor))
        self.tick()
        self.refresh_bindings()

    def action_hint(self) -> None:
        """Show the cost of a hint, and give the hint after confirmation."""
        task, taken = self.challenge.session.task(self.challenge.session.work.task), self.challenge.session.work.hints
        if taken >= len(task.hints):
            self.notify("No more hints for this task.", markup=False)
            return
        title = f"Hint {taken + 1} of {len(task.hints)}"
        self.app.push_screen(ChoiceScreen(title, hint_cost(taken), [STAY, TAKE]), self._do)

    def action_skip(self) -> None:
        """Ask for confirmation, then leave the task and make its solution available."""
        text = "The task will count as not passed, and you can open its solution (ctrl+r). This cannot be undone."
        self.app.push_screen(ChoiceScreen("Skip this task?", text, [STAY, SKIP]), self._do)

    def action_solution(self) -> None:
        """Show the solution of a finished task; if several tasks are finished, ask which one to show."""
        tasks = [work.task for work in self.challenge.session.works if work.is_over]
        if len(tasks) == 1:
            self._show_solution(tasks[0])
        else:
            choices = [Choice(task, printable(self.challenge.session.task(task).title)) for task in tasks]
            self.app.push_screen(ChoiceScreen("Solution", "For which task?", choices), self._show_solution)

    def action_open_debrief(self) -> None:
        """Leave the screen and open the debrief."""
        self.leave(debrief_of=self.challenge.session)

    def action_back(self) -> None:
        """Cancel a grading run in progress; if there is none, ask whether to leave."""
        if self.is_driving:
            self.challenge.stop()
        elif self.challenge.session.is_over:
            self.leave()
        else:
            text = "Everything is saved. The clock is paused while you are away."
            self.app.push_screen(ChoiceScreen("Leave the challenge?", text, [STAY, LEAVE, END]), self._do)

    def action_end(self) -> None:
        """Ask whether to end the challenge."""
        text = "Your last submission counts. This cannot be undone."
        self.app.push_screen(ChoiceScreen("End the challenge?", text, [STAY, END]), self._do)

    def _do(self, choice: str | None) -> None:
        actions = {TAKE.id: self.challenge.hint, SKIP.id: self.challenge.skip, END.id: self.challenge.end}
        if choice == LEAVE.id:
            self.leave()
        elif choice in actions:
            self.record_action(actions[choice])
            self._draw()

    def _show_solution(self, task: str | None) -> None:
        session = self.challenge.session
        if task is None or not may_show_solution(session, task):
            return
        try:
            full = self._app_context.task(task)
        except Exception as error:
            self.show_error(error)
        else:
            last = next(work for work in reversed(session.works) if work.task == task)
            self.app.push_screen(solution_screen(full, last))

    def action_edit_outside(self) -> None:
        """Edit the code in the user's own editor."""
        editor = self.code_editor
        try:
            changed = open_external_editor(self.app, editor.text, ".py")
        except Exception as error:
            self.show_error(error)
        else:
            self.put_code(changed)

    def action_copy(self) -> None:
        """Copy the code to the clipboard; the app reports which method it used."""
        self.app.copy_to_clipboard(self.code_editor.text)

    def action_reset(self) -> None:
        """Ask whether to restore the starter code."""
        choices = [Choice("stay", "Keep my code"), Choice("reset", "Reset to starter code", "undo with ctrl+z")]
        self.app.push_screen(
            ChoiceScreen("Reset to starter code?", "Your submitted attempts are kept.", choices), self._reset
        )

    def _reset(self, choice: str | None) -> None:
        if choice == "reset":
            self.put_code(self._starter)

    def put_code(self, source: str) -> None:
        """Replace the code in one undoable edit, so that undo restores the old code."""
        editor = self.code_editor
        editor.replace(source, editor.document.start, editor.document.end)
        editor.move_cursor((0, 0))

    # Switching views.

    def on_view_strip_chosen(self, message: ViewStrip.Chosen) -> None:
        """Show the clicked view."""
        self.action_view(message.view)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """On a narrow screen, show the view that has the focus."""
        self.set_class(is_on_code(event.widget), "-on-code")
        self._mark_view()

    def action_view(self, view: str) -> None:
        """Show and focus the statement, the code or the attempts."""
        if view == "code":
            self.set_focus(self.code_editor)
            return
        self.set_class(view == "attempts", "-attempts")
        attempts = self.query_one(AttemptList)
        if view != "attempts":
            self.set_focus(self.query_one("#statement"))
        elif attempts.display:
            self.set_focus(attempts)
        else:
            # If there are no attempts, the list cannot be focused, but the view is still shown.
            self.set_focus(None)
        self.remove_class("-on-code")
        self._mark_view()

    def show_statement(self) -> None:
        """Show the statement; on a wide screen, focus the code next to it."""
        self.action_view("statement")
        if self.is_wide:
            self.action_view("code")

    def show_attempts(self) -> None:
        """Show the attempts; on a wide screen, the focus stays on the code."""
        if self.is_wide:
            self.add_class("-attempts")
            self._mark_view()
        else:
            self.action_view("attempts")

    def _mark_view(self) -> None:
        self.mark_view("attempts" if self.has_class("-attempts") else "statement")

    # Drawing.

    def _draw(self) -> None:
        session = self.challenge.session
        if session.part != self._part_drawn and (session.current_part is not None or session.is_over):
            if self._part_drawn >= 0 and not session.is_over and session.works[-2].has_passed:
                self._hold(len(session.works) - 2)
            else:
                self._enter_part()
        if session.works:
            self._draw_hints()
            result = result_content(self.challenge, self._practice) if session.is_over else None
            times = self.challenge.attempt_seconds(session.works.index(self._work))
            self.query_one(AttemptsView).show(self._work.attempts, times, result)
        self.tick()
        self.refresh_bindings()

    @property
    def _work(self) -> TaskWork:
        """The work on the displayed task: the current task, or the task that was just passed."""
        works = self.challenge.session.works
        return works[-1 if self._held is None else self._held]

    def _hold(self, passed: int) -> None:
        """Keep the code of a passed task on screen, with the clock stopped, until the candidate continues."""
        if self._held is None:
            self._held = passed
            self.challenge.pause()
            self.code_editor.read_only = True
            self.action_view("attempts")
            self.add_class("-held")
            self._focus_button("#next-task")

    def _focus_button(self, button: str) -> None:
        # The button cannot be focused until the stylesheet shows it.
        self.call_after_refresh(lambda: self.set_focus(self.query_one(button)))

    def _go_on(self) -> None:
        """Open the next task and start the clock."""
        self._held = None
        self.challenge.resume()
        self.code_editor.read_only = False
        self.remove_class("-held")
        self._enter_part()
        self._draw()

    def _enter_part(self) -> None:
        session, self._part_drawn, self._hints_drawn = self.challenge.session, self.challenge.session.part, -1
        if session.is_over:
            # The challenge may have been ended during a pause, or before the next task.
            self._held = None
            self.remove_class("-paused", "-held")
            self.code_editor.read_only = True
            self.action_view("attempts")
            self.add_class("-over")
            self._focus_button("#open-debrief")
            return
        task = session.task(session.work.task)
        self._starter = task.starter
        self.open_code(task)
        self.show_statement()

    def _draw_hints(self) -> None:
        work = self._work
        if work.hints != self._hints_drawn:
            is_new, self._hints_drawn = 0 <= self._hints_drawn < work.hints, work.hints
            task = self.challenge.session.task(work.task)
            hints = "".join(f"\n\n**Hint {n}.** {hint.strip()}" for n, hint in enumerate(task.hints[: work.hints], 1))
            is_laid_out = self.query_one("#statement-text", SafeMarkdown).update(task.statement.rstrip() + hints)
            if is_new:
                self.call_later(self._show_last_hint, is_laid_out)

    async def _show_last_hint(self, is_laid_out: AwaitComplete) -> None:
        # Markdown mounts its blocks asynchronously; before they are mounted, scrolling to the end would use the old
        # height.
        await is_laid_out
        self.show_statement()
        self.call_after_refresh(self.query_one("#statement").scroll_end, animate=False)

    def key_enter(self) -> None:
        """Do what the state line says, unless the focus is on a widget that uses this key."""
        if isinstance(self.focused, AttemptList | Button | Input):
            return
        if self._held is not None:
            self._go_on()
        elif self.challenge.session.is_over:
            self.action_open_debrief()

    def tick(self) -> None:
        """Draw everything that changes with time: the clock, whose turn it is, and the length of a wait."""
        session, left = self.challenge.session, self.challenge.seconds_left
        self.keep_clock()
        is_up = self.challenge.is_time_up and not session.is_over
        note = UNTIMED if is_up else f"{minutes_text(left)} left · paused" if self.challenge.is_paused else ""
        self.query_one(Clock).show(left, session.plan.minutes, "over" if session.is_over else note)
        self.query_one("#where", TextLine).set_text(where_text(session, self._practice, self._held))
        self.query_one("#paused-text", TextLine).set_text(f"{minutes_text(left)} left. {PAUSED}")
        state = self.query_one(StateLine)
        busy = "" if self._busy == "speaking" else self._busy
        over = "Challenge over. ctrl+r: solution, enter: debrief, esc: back." if session.is_over else ""
        paused = HELD if self._held is not None else "Paused. F5 resumes." if self.challenge.is_paused else ""
        if notice := over or paused:
            state.remove_class("-busy")
            state.set_text(notice)
        else:
            state.show(session.awaiting, busy, time.monotonic() - self._busy_since, is_sending_next=False)
        self._warn(left)
        if is_up and not self._is_time_up_told and not self.is_driving and self.is_current:
            self._is_time_up_told = True
            text = time_up_text(session.work.submissions)
            self.app.push_screen(ChoiceScreen("Time is up", text, [GO_ON, END], opens_unasked=True), self._do)

    def _warn(self, left: float) -> None:
        new = set(warnings_passed(left, self.challenge.session.plan.minutes)) - self._warned
        if new and not self.challenge.session.is_over:
            self._warned |= new
            self.notify(f"Less than {min(new)} minute{'s' * (min(new) > 1)} left.", markup=False)
            if self._app_context.settings.bell:
                self.app.bell()


def where_text(session: Session, practice: Progress | None, held: int | None = None) -> str:
    """Return the number and title of the task on screen, with the candidate's best time.

    `held` is the index of a passed task that stays on screen; if it is None, the current task is on screen.
    """
    if session.current_part is None:
        return "Challenge · over"
    place = session.part if held is None else held
    task = session.plan.parts[place].id
    number = f"Task {place + 1} of {len(session.plan.parts)} · " if len(session.plan.parts) > 1 else ""
    past = practice.tasks.get(task) if practice else None
    best = f" · your best {minutes_text(past.best_seconds)}" if past and past.best_seconds else ""
    return printable(f"{number}{session.task(task).title}{best}")


def hint_cost(taken: int) -> str:
    """Return the cost of the next hint as a sentence."""
    if taken:
        return (
            "No further cost. After your first hint, a pass does not set a best time, and the task comes back for "
            "review sooner."
        )
    return "Cost: a pass with hints does not set a best time, and the task comes back for review sooner."


def time_up_text(attempts: Sequence[Attempt]) -> str:
    """Return the message shown when the time limit is reached; it says which submission counts."""
    kept = "The code in the editor is kept."
    graded = [(number, attempt.report) for number, attempt in enumerate(attempts, 1) if attempt.report is not None]
    if not graded:
        return f"Nothing was graded before time ran out. {kept}"
    number, report = graded[-1]
    return f"Your last submission counts: #{number}, {verdict_text(report.verdict)}. {kept}"


def result_content(challenge: Challenge, practice: Progress | None) -> Content:
    """Return the result of each task, with its time compared with the candidate's previous best time."""
    lines = [Content(line) for line in (*result_lines(challenge, practice), *after_pass_lines(challenge.session))]
    return Content("\n").join([Content.styled("Result", "bold"), *lines])
