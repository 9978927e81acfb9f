"""A screen with a thread for the session's runner. Leaving the screen aborts the runner before the next event."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from textual.message import Message
from textual.worker import Worker

from interviewer.interview.runner import Interview
from interviewer.session.question import TaskBrief
from interviewer.session.state import Awaiting, Session
from interviewer.tui.messages import FrontendClosed, ScreenFrontend
from interviewer.tui.screens.base_screen import BaseScreen
from interviewer.tui.screens.dialogs import Choice, ChoiceScreen
from interviewer.tui.terminal import WIDE_COLUMNS
from interviewer.tui.text_format import advice
from interviewer.tui.widgets.code_editor import CodeEditor
from interviewer.tui.widgets.status import ViewStrip

DELAY_SECONDS = 0.3
LEAVE_SECONDS_MAX = 3.0
CLOCK_SECONDS = 5.0
DRIVERS_TURN = frozenset({Awaiting.WORDS, Awaiting.ASSESSMENT, Awaiting.VERDICT})


class Drafts:
    """Collect the draft text of each slot, for example "answer", and save it at most once every DELAY_SECONDS.

    If `save` returns False, the text is kept for later.
    """

    def __init__(self, save: Callable[[str, str], bool], after: Callable[[float, Callable[[], None]], object]) -> None:
        self._save = save
        self._after = after
        self._unsaved: dict[str, str] = {}
        self._is_due = False

    def note(self, slot: str, text: str) -> None:
        """Store the changed text of a slot; it is saved within DELAY_SECONDS."""
        # Keystrokes do not restart the delay; otherwise, text would never be saved while the user types continuously.
        if not self._is_due:
            self._is_due = True
            self._after(DELAY_SECONDS, self.flush)
        self._unsaved[slot] = text

    def flush(self) -> None:
        """Save all changed text now."""
        self._is_due = False
        self._unsaved = {slot: text for slot, text in self._unsaved.items() if not self._save(slot, text)}


class RunnerIdle(Message):
    """The runner has no more work to do in this session."""


@dataclass
class RunnerFailed(Message):
    """The runner failed with an unrecoverable error."""

    error: Exception


class SessionScreen(BaseScreen[Session | None]):
    """Runs an interview in a thread and saves its drafts.

    When the screen closes, its result is the session if the session's debrief should open next, otherwise None.
    """

    CSS_PATH = "../screens.tcss"

    def __init__(self, interview: Interview) -> None:
        super().__init__()
        self.interview = interview
        # Stored here instead of read from the widgets, because drafts are also saved after the widgets have been
        # removed.
        self.code_editor = CodeEditor()
        self.drafts = Drafts(self._save_draft, self.set_timer)
        self._frontend = ScreenFrontend(self.post_message)
        self._worker: Worker[None] | None = None
        # The slot in which the draft of the editor's code is saved. In the runner's thread, the session may already
        # have moved on to its next task.
        self._code_slot = ""
        self._busy = ""
        self._busy_since = 0.0
        self._is_draft_unsaved = False
        self._clock_kept_at = time.monotonic()

    @property
    def is_driving(self) -> bool:
        """Return whether the runner's thread is running."""
        return self._worker is not None

    @property
    def is_wide(self) -> bool:
        """Return whether two views fit side by side; the stylesheet's size class is only set at the first resize."""
        return self.app.size.width >= WIDE_COLUMNS

    def mark_view(self, left: str) -> None:
        """Mark the visible views in the view strip: `left`, the code, or both.

        Both are visible on a wide screen, and on a narrow screen once the code has passed.
        """
        if self.is_wide or self.has_class("-passed"):
            self.query_one(ViewStrip).show({left, "code"})
        else:
            self.query_one(ViewStrip).show({"code" if self.has_class("-on-code") else left})

    def record_action(self, act: Callable[[], None]) -> bool:
        """Run an action that is logged, let the runner continue, and return whether the action succeeded."""
        try:
            act()
        except Exception as error:
            self.show_error(error)
            return False
        self.run_until_input()
        return True

    def run_until_input(self) -> None:
        """Start the runner's thread, unless it is already running."""
        if self._worker is None:
            self._worker = self.run_worker(self._drive, thread=True, exit_on_error=False, group="driver")

    def become_idle(self) -> None:
        """Mark the thread as finished; restart it if an action arrived at the last moment."""
        self._worker = None
        self.become_busy("")
        if self.interview.session.awaiting in DRIVERS_TURN:
            self.run_until_input()

    def become_busy(self, what: str) -> None:
        """Set what the candidate is waiting for; "" for nothing."""
        self._busy = what
        self._busy_since = time.monotonic()

    def keep_clock(self, every_seconds: float = CLOCK_SECONDS) -> None:
        """Save the time since the last event, so leaving or crashing does not add session time."""
        now = time.monotonic()
        if now - self._clock_kept_at >= every_seconds:
            self._clock_kept_at = now
            self._save(self.interview.save_clock)

    def open_code(self, task: TaskBrief) -> None:
        """Load the candidate's code for this task, or else the starter code, into the editor."""
        self._code_slot = f"code:{task.id}"
        self.code_editor.load_text(self.interview.draft(self._code_slot) or task.starter)

    def save_code_draft(self) -> None:
        """Save the code in the editor as a draft."""
        if self._code_slot:
            self.drafts.note(self._code_slot, self.code_editor.text)

    def show_error(self, error: BaseException) -> None:
        """Show an error and how to fix it."""
        self.notify(advice(error), title="Something went wrong", severity="error", markup=False, timeout=15)

    def on_runner_failed(self, message: RunnerFailed) -> None:
        """Ask whether to retry the failed step; the log has no events from this step."""
        self._worker = None
        self.become_busy("")
        choices = [Choice("again", "Try again"), Choice("leave", "Leave", "you can resume the session later")]
        dialog = ChoiceScreen("The interview cannot continue", advice(message.error), choices, opens_unasked=True)
        self.app.push_screen(dialog, self._after)

    def leave(self, debrief_of: Session | None = None) -> None:
        """Return to the previous screen once the runner's thread has finished; everything is saved."""
        self.close()
        self.run_worker(self._leave(debrief_of), group="leave")

    def close(self) -> None:
        """Save the drafts and the clock, and abort the runner."""
        self.keep_clock(every_seconds=0)
        self._abort()

    def on_unmount(self) -> None:
        """Stop the thread no matter how the screen closes, because the app cannot exit while the thread is running."""
        self._abort()
        self.interview.release()

    def _abort(self) -> None:
        self.drafts.flush()
        self._frontend.close()
        self.interview.stop()

    async def _leave(self, debrief_of: Session | None) -> None:
        # Wait for the thread: the log rejects a session that is resumed while a thread is still writing to it.
        deadline = time.monotonic() + LEAVE_SECONDS_MAX
        while self._worker is not None and not self._worker.is_finished and time.monotonic() < deadline:
            await asyncio.sleep(0.02)
        self.dismiss(debrief_of)

    def _after(self, choice: str | None) -> None:
        if choice == "leave":
            self.leave()
        else:
            self.run_until_input()

    def _drive(self) -> None:
        try:
            self.interview.run_until_input(self._frontend)
        except FrontendClosed:
            return
        except Exception as error:
            self.post_message(RunnerFailed(error))
        else:
            self.post_message(RunnerIdle())

    def _save_draft(self, slot: str, text: str) -> bool:
        return self._save(partial(self.interview.save_draft, slot, text))

    def _save(self, write: Callable[[], None]) -> bool:
        try:
            write()
        except Exception as error:
            # Report the error once, not for every keystroke; the text itself is still in its field.
            if not self._is_draft_unsaved:
                self.show_error(error)
            self._is_draft_unsaved = True
            return False
        self._is_draft_unsaved = False
        return True
