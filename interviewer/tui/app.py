"""The app: opens screens, shows what went wrong, quits at once; every decision is the driver's or the user's."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from textual import work
from textual.app import SystemCommand
from textual.screen import Screen
from textual.timer import Timer

from interviewer.exits import OK, OUR_FAILURE
from interviewer.tui.app_base import Shell
from interviewer.tui.choices import DebriefChosen, InterviewChosen
from interviewer.tui.error_text import advice
from interviewer.tui.navigation import WaysIn
from interviewer.tui.palette import ways_of
from interviewer.tui.screens.home import HomeScreen

if TYPE_CHECKING:
    from interviewer.interview.context import Kit
    from interviewer.interview.runner import Interview
    from interviewer.session.state import Session
    from interviewer.tui.screens.doctor import Examine
    from interviewer.tui.screens.session import StageScreen

WAIT_NOTICE_SECONDS = 0.4
WARM_AFTER_SECONDS = 0.3


class InterviewerApp(Shell):
    """Run the terminal app over one kit; opens `interview` directly when one is given."""

    def __init__(self, kit: Kit, interview: Interview | None = None, examine: Examine = lambda: ()) -> None:
        super().__init__(kit.settings.theme)
        if not kit.settings.animations:
            self.animation_level = "none"
        self.kit = kit
        self._interview = interview
        self._wait: Timer | None = None
        self._stage: StageScreen | None = None
        self._ways = WaysIn(self, kit, examine)

    def get_default_screen(self) -> Screen[None]:
        """Return home, which lies under every other screen."""
        return HomeScreen(self.kit, self._ways)

    def on_ready(self) -> None:
        """Start what is slow only after the first picture."""
        if not self.is_headless:
            # What is there now stays: a full collection would look at it again and again while somebody types.
            gc.freeze()
            gc.enable()
        self.quit_on_signals(self._quit)
        self.use_keys(self.kit.settings.keys)
        self.set_timer(WARM_AFTER_SECONDS, self._warm_up)
        if self._interview is not None:
            self._show_interview(self._interview)

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """Yield the screen's commands, and the ways to other screens; none that would leave a session that runs."""
        yield from super().get_system_commands(screen)
        yield from ways_of(self._ways.named() if self._stage is None else self._ways.harmless())

    async def action_quit(self) -> None:
        """Quit once the letters typed before this key have arrived; nothing else is waited for."""
        (self.focused or self).call_later(self._quit)

    def _quit(self) -> None:
        stage, self._stage = self._stage, None
        if stage is not None:
            stage.let_go()
        self.exit()

    def on_interview_chosen(self, message: InterviewChosen) -> None:
        """Open the interview once it is ready; a second choice while one is being made is ignored."""
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
            self.call_from_thread(self._show_trouble, error)
        else:
            self.call_from_thread(self._show_interview, interview)

    @work(thread=True, group="warm-up", exit_on_error=False)
    def _warm_up(self) -> None:
        self.kit.warm_up()
        # Read here and kept by the kit, so that the list opens without a stop; what is wrong is said when it opens.
        with suppress(Exception):
            _ = self.kit.tasks

    def _show_interview(self, interview: Interview) -> None:
        from interviewer.tui.opening import stage_for

        self._stop_waiting()
        self._stage = stage_for(interview, self.kit)
        self.push_screen(self._stage, self._leave_stage)

    def _leave_stage(self, debrief_of: Session | None) -> None:
        self._stage = None
        if debrief_of is not None:
            self._show_debrief(debrief_of)

    def _show_debrief(self, session: Session) -> None:
        from interviewer.appealing import appeal
        from interviewer.tui.screens.debrief import DebriefScreen

        self.push_screen(DebriefScreen(session, partial(appeal, self.kit.log)))

    def _show_trouble(self, error: BaseException) -> None:
        self._stop_waiting()
        self.notify(advice(error), title="That did not work", severity="error", markup=False, timeout=15)

    def _stop_waiting(self) -> None:
        if self._wait is not None:
            self._wait.stop()
            self._wait = None


def run_app(kit: Kit, interview: Interview | None, examine: Examine) -> int:
    """Run the app until the user quits, and return the exit code; opens this interview directly when one is given."""
    app = InterviewerApp(kit, interview, examine)
    app.run()
    return OUR_FAILURE if app.return_code else OK
