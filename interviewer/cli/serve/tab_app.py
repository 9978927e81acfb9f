"""The apps in browser tabs: each tells the server what to open after a reload, and exits when the server exits."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from textual.app import App
from textual.drivers.web_driver import WebDriver

from interviewer.cli.doctor import run_checks
from interviewer.cli.options import open_context
from interviewer.cli.serve import NOTE_TYPE, SERVER_VARIABLE
from interviewer.errors import EXPECTED_ERRORS
from interviewer.interview.context import AppContext
from interviewer.interview.sessions import resume_interview
from interviewer.tui.app import InterviewerApp
from interviewer.tui.observer_app import ObserverApp
from interviewer.tui.screens.observer import ObserverScreen

if TYPE_CHECKING:
    from interviewer.interview.runner import Interview
    from interviewer.session.state import Session

POLL_SECONDS = 0.5
QUIT_SECONDS = 3.0


class CandidateTab(InterviewerApp):
    """The candidate's app in a tab: reloading the tab reopens the same session and keeps the observers' token."""

    # Textual resolves the path relative to the subclass's file.
    CSS_PATH = "../../tui/app.tcss"
    _kept = ""

    def on_ready(self) -> None:
        """Periodically check whether observers have been admitted. Textual also calls the base class's handler."""
        self.set_interval(POLL_SECONDS, self._look)

    def _show_interview(self, interview: Interview) -> None:
        super()._show_interview(interview)
        self._keep()

    def _leave_session(self, debrief_of: Session | None) -> None:
        super()._leave_session(debrief_of)
        self._keep()

    def _look(self) -> None:
        # An app that is quitting has no session screen, but a reload should still open the session.
        if self._session_screen is not None:
            self._keep()

    def _keep(self) -> None:
        opened = ""
        if self._session_screen is not None:
            live = self._session_screen.interview.live
            opened = f"{self._session_screen.interview.session.id} {live.token if live else ''}".rstrip()
        if opened != self._kept:
            self._kept = opened
            _keep(self, opened)


class ObserverTab(ObserverApp):
    """An observer's app in a tab: it asks for a session's token, and after a reload, it shows the same session again.

    `kept` contains the session's token and the observer's name; it is "" if no session is open.
    """

    # Textual resolves the path relative to the subclass's file.
    CSS_PATH = "../../tui/app.tcss"
    kept = ""

    def on_ready(self) -> None:
        """Show the session that was open before a reload, or ask for a session's token.

        Textual also calls the base class's handler.
        """
        token, _, who = self.kept.partition(" ")
        if token:
            self.join_session(token, who)
        else:
            self.ask_token()

    def on_observer_screen_admitted(self, message: ObserverScreen.Admitted) -> None:
        """Store what to reopen after a reload."""
        _keep(self, f"{message.token.strip()} {message.who}")

    def leave_session(self) -> None:
        """Ask the observer for another session's token; if the app exited, the browser tab would show a dead page."""
        _keep(self, "")
        self.ask_token()


def main(role: str, kept: str) -> None:
    """Run the app for this role until its tab is closed; `kept` is what to reopen after a reload, or "" for none."""
    with _context() as context:
        if role == "observer":
            app = ObserverTab(context)
            app.kept = kept
            app.run()
        else:
            CandidateTab(context, _open(context, kept), lambda: run_checks(context, os.environ)).run()


def _open(context: AppContext, kept: str) -> Interview | None:
    """Return the session to resume; None if no session is open, or if it was finished or deleted elsewhere."""
    session, _, token = kept.partition(" ")
    try:
        interview = resume_interview(context, session) if session else None
    except EXPECTED_ERRORS:
        return None
    if interview is not None and token:
        # After a reload of the same tab, the candidate's consent still applies, so observers stay connected.
        interview.go_live(token)
    return interview


def _keep(app: App[Any], opened: str) -> None:
    """Tell the server what to reopen after a reload, "" for no session."""
    if isinstance(app._driver, WebDriver):
        app._driver.write_meta({"type": NOTE_TYPE, "session": opened})


@contextmanager
def _context() -> Iterator[AppContext]:
    """Provide the app context, and quit when the server has ended."""
    threading.Thread(target=_end_with, args=(int(os.environ[SERVER_VARIABLE]),), daemon=True).start()
    with open_context() as context:
        yield context


def _end_with(server: int) -> None:
    """Quit gracefully when the server has ended or was killed; force the exit if quitting takes too long."""
    while os.getppid() == server:
        time.sleep(POLL_SECONDS)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(QUIT_SECONDS)
    os._exit(1)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
