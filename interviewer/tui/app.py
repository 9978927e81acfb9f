"""The app opens screens, shows errors, and quits without delay. The app makes no decisions about the session."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from textual import work
from textual.app import SystemCommand
from textual.screen import Screen
from textual.timer import Timer

from interviewer.errors import OK, OUR_FAILURE
from interviewer.tui.app_base import BaseApp, destinations_of
from interviewer.tui.messages import DebriefChosen, InterviewChosen, NoticePosted
from interviewer.tui.navigation import Navigation, debrief_screen, session_screen
from interviewer.tui.screens.home import HomeScreen
from interviewer.tui.text_format import advice

if TYPE_CHECKING:
    from interviewer.interview.context import AppContext
    from interviewer.interview.runner import Interview
    from interviewer.session.state import Session
    from interviewer.tui.screens.doctor import Examine
    from interviewer.tui.screens.session import SessionScreen

WAIT_NOTICE_SECONDS = 0.4
WARM_AFTER_SECONDS = 0.3


class InterviewerApp(BaseApp):
    """The terminal app for a context; if `interview` is given, the app opens it directly and shows `note` there."""

    def __init__(
        self,
        context: AppContext,
        interview: Interview | None = None,
        examine: Examine = lambda: (),
        note: str = "",
    ) -> None:
        super().__init__(context.settings.theme)
        if not context.settings.animations:
            self.animation_level = "none"
        self.context = context
        self._interview = interview
        self._note = note
        self._wait: Timer | None = None
        self._session_screen: SessionScreen | None = None
        self._navigation = Navigation(self, context, examine)

    def get_default_screen(self) -> Screen[None]:
        """Return the home screen, which is at the bottom of the screen stack."""
        return HomeScreen(self.context, self._navigation)

    def on_ready(self) -> None:
        """Start the slow work only after the first frame is drawn."""
        if not self.is_headless:
            # Freeze the objects that exist now: they stay alive anyway, and this keeps full garbage collections fast
            # while the user types.
            gc.freeze()
            gc.enable()
        self.quit_on_signals(self._quit)
        self.use_keys(self.context.settings.keys)
        self.set_timer(WARM_AFTER_SECONDS, self._warm_up)
        if self._interview is not None:
            self._show_interview(self._interview)
        if self._note and self._session_screen is not None:
            self._session_screen.post_message(NoticePosted(self._note))

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """Yield this screen's commands and those that open other screens.

        Commands that would leave a running session are omitted.
        """
        yield from super().get_system_commands(screen)
        is_at_home = self._session_screen is None
        yield from destinations_of(
            self._navigation.commands() if is_at_home else self._navigation.commands_in_session()
        )

    async def action_quit(self) -> None:
        """Quit once all earlier key presses have been processed; do not wait for any other work."""
        (self.focused or self).call_later(self._quit)

    def _quit(self) -> None:
        screen, self._session_screen = self._session_screen, None
        if screen is not None:
            screen.close()
        self.exit()

    def on_interview_chosen(self, message: InterviewChosen) -> None:
        """Open the interview once it is ready. Ignore further choices while the chosen interview is being prepared."""
        if self._wait is None:
            self._wait = self.set_timer(WAIT_NOTICE_SECONDS, lambda: self.notify("Preparing …", markup=False))
            self._open(message.open_interview)

    def on_debrief_chosen(self, message: DebriefChosen) -> None:
        """Open a debrief."""
        self._show_debrief(message.session)

    @work(thread=True, group="open", exit_on_error=False)
    def _open(self, open_interview: Callable[[], Interview]) -> None:
        try:
            interview = open_interview()
        except Exception as error:
            self.call_later(self._show_trouble, error)
        else:
            self.call_later(self._show_interview, interview)

    @work(thread=True, group="warm-up", exit_on_error=False)
    def _warm_up(self) -> None:
        self.context.warm_up()
        # The context caches the tasks, so the list opens without a delay. Errors are reported when the list opens.
        with suppress(Exception):
            _ = self.context.tasks

    def _show_interview(self, interview: Interview) -> None:
        self._stop_waiting()
        self._session_screen = session_screen(interview, self.context)
        self.push_screen(self._session_screen, self._leave_session)

    def _leave_session(self, debrief_of: Session | None) -> None:
        self._session_screen = None
        if debrief_of is not None:
            self._show_debrief(debrief_of)

    def _show_debrief(self, session: Session) -> None:
        self.push_screen(debrief_screen(session, self.context), self._navigation.start_picked)

    def _show_trouble(self, error: BaseException) -> None:
        self._stop_waiting()
        self.notify(advice(error), title="Could not open the session", severity="error", markup=False, timeout=15)

    def _stop_waiting(self) -> None:
        if self._wait is not None:
            self._wait.stop()
            self._wait = None


def run_app(context: AppContext, interview: Interview | None, examine: Examine, note: str = "") -> int:
    """Run the app until the user quits, and return the exit code.

    Open `interview` directly if it is given, and show `note` in it.
    """
    app = InterviewerApp(context, interview, examine, note)
    app.run()
    return OUR_FAILURE if app.return_code else OK
