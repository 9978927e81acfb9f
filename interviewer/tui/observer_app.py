"""The observer's app, which shows one candidate's session. If no session is given, the app asks for a token."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interviewer.interview.observer_client import Observation, join
from interviewer.tui.app_base import BaseApp
from interviewer.tui.background import run_in_background
from interviewer.tui.screens.dialogs import PromptScreen
from interviewer.tui.screens.observer import ObserverScreen
from interviewer.tui.text_format import advice

if TYPE_CHECKING:
    from interviewer.interview.context import AppContext

HOW = (
    "Ask the candidate to press F10 in the interview; the token then appears at the top of their screen. "
    "The candidate will see that you are watching."
)


class ObserverApp(BaseApp):
    """The observer's app; exits when the observer leaves. If `joined` is given, that session is opened immediately."""

    def __init__(self, context: AppContext, joined: Observation | None = None) -> None:
        super().__init__(context.settings.theme)
        if not context.settings.animations:
            self.animation_level = "none"
        self._app_context = context
        self._joined = joined

    def on_ready(self) -> None:
        """Show the session."""
        self.quit_on_signals(self.exit)
        self.use_keys(self._app_context.settings.keys)
        if self._joined is not None:
            self.watch_session(self._joined)

    def ask_token(self, token: str = "", who: str = "", why: str = "") -> None:
        """Ask for a token and a name, then join."""

        def named(name: str | None) -> None:
            self.join_session(token, name or who)

        def given(typed: str | None) -> None:
            nonlocal token
            if not typed:
                self.exit()
                return
            token = typed
            self.push_screen(PromptScreen("Your name", "The candidate will see this name.", who), named)

        self.push_screen(PromptScreen("Watch a session: token", f"{why}\n{HOW}".strip(), token), given)

    def join_session(self, token: str, who: str) -> None:
        """Show the session with this token; ask again if no session has it."""

        def failed(error: Exception) -> None:
            self.ask_token(token, who, advice(error).splitlines()[0])

        run_in_background(self, lambda: join(self._app_context.log, None, token, who), self.watch_session, failed)

    def watch_session(self, observation: Observation) -> None:
        """Show a session."""
        self.push_screen(ObserverScreen(observation), lambda _: self.leave_session())

    def leave_session(self) -> None:
        """End the app."""
        self.exit()
