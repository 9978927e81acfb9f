"""The app: opens screens, shows what went wrong, quits at once; every decision is the driver's or the user's."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, ClassVar

from textual import work
from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.timer import Timer

from interviewer.tui.choices import DebriefChosen, InterviewChosen
from interviewer.tui.palette import commands_of
from interviewer.tui.screens.home import HomeScreen
from interviewer.tui.terminal_keys import teach_alt_enter
from interviewer.tui.themes import DARK, LIGHT
from interviewer.tui.trouble import advice

if TYPE_CHECKING:
    from interviewer.driver import Interview
    from interviewer.kit import Kit
    from interviewer.session.state import Session
    from interviewer.tui.screens.stage import StageScreen

WAIT_NOTICE_SECONDS = 0.4


class InterviewerApp(App[None]):
    """Run the terminal app over one kit; opens `interview` directly when one is given."""

    TITLE = "interviewer"
    CSS_PATH = "app.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1", "keys", "Keys", id="keys"),
        Binding("question_mark", "keys", "Keys", show=False),
        Binding("ctrl+q", "quit", "Quit", priority=True, show=False, id="quit"),
    ]

    def __init__(self, kit: Kit, interview: Interview | None = None) -> None:
        super().__init__()
        teach_alt_enter()
        self.HORIZONTAL_BREAKPOINTS = [(0, "-tiny"), (60, "-narrow"), (100, "-wide")]
        self.VERTICAL_BREAKPOINTS = [(0, "-flat"), (16, "-short"), (30, "-high")]
        self.kit = kit
        self._interview = interview
        self._wait: Timer | None = None
        self._stage: StageScreen | None = None
        self.register_theme(DARK)
        self.register_theme(LIGHT)
        if "TEXTUAL_THEME" not in os.environ:
            self.theme = DARK.name

    def get_default_screen(self) -> Screen[None]:
        """Return home, which lies under every other screen."""
        return HomeScreen(self.kit)

    def on_ready(self) -> None:
        """Start what is slow only after the first picture."""
        self._warm_up()
        if self._interview is not None:
            self._show_interview(self._interview)

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """Yield the built-in commands and every action of the screen, so that the palette knows them all."""
        yield from super().get_system_commands(screen)
        yield from commands_of(screen)

    def action_keys(self) -> None:
        """Show the keys that work on this screen."""
        from interviewer.tui.screens.help import HelpScreen, keys_of

        if not isinstance(self.screen, HelpScreen):
            self.push_screen(HelpScreen(keys_of(self.screen)))

    async def action_quit(self) -> None:
        """Quit once the letters typed before this key have arrived; nothing else is waited for."""
        (self.focused or self).call_later(self._quit)

    def _quit(self) -> None:
        if self._stage is not None:
            self._stage.let_go()
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
        from interviewer.tui.screens.interview import InterviewScreen

        self._stop_waiting()
        self._stage = InterviewScreen(interview)
        self.push_screen(self._stage, self._leave_stage)

    def _leave_stage(self, debrief_of: Session | None) -> None:
        self._stage = None
        if debrief_of is not None:
            self._show_debrief(debrief_of)

    def _show_debrief(self, session: Session) -> None:
        from interviewer.tui.screens.debrief import DebriefScreen

        self.push_screen(DebriefScreen(session))

    def _show_trouble(self, error: BaseException) -> None:
        self._stop_waiting()
        self.notify(advice(error), title="That did not work", severity="error", markup=False, timeout=15)

    def _stop_waiting(self) -> None:
        if self._wait is not None:
            self._wait.stop()
            self._wait = None


def run_app(kit: Kit, interview: Interview | None = None) -> None:
    """Run the app until the user quits; opens this interview directly when one is given."""
    InterviewerApp(kit, interview).run()
