"""The apps that run in browser tabs: each tells the server what a reload should open, and ends when the server does."""

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
    """Run the candidate's app in a tab: a reload opens the same session, with the token that observers have."""

    # Textual looks beside the file of the class that is run.
    CSS_PATH = "../../tui/app.tcss"
    _kept = ""

    def on_ready(self) -> None:
        """Check from time to time whether observers were let in; the rest is the base class's, called by Textual."""
        self.set_interval(POLL_SECONDS, self._look)

    def _show_interview(self, interview: Interview) -> None:
        super()._show_interview(interview)
        self._keep()

    def _leave_session(self, debrief_of: Session | None) -> None:
        super()._leave_session(debrief_of)
        self._keep()

    def _look(self) -> None:
        # An app that quits has no session screen any more, and a reload should still open the session.
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
    """Run an observer's app in a tab: it asks for a session's token, and a reload watches the same session again.

    `kept` is the token and the name of the observer, "" for none.
    """

    # Textual looks beside the file of the class that is run.
    CSS_PATH = "../../tui/app.tcss"
    kept = ""

    def on_ready(self) -> None:
        """Watch the session that was watched before, or ask; the rest is the base class's, called by Textual."""
        token, _, who = self.kept.partition(" ")
        if token:
            self.join_session(token, who)
        else:
            self.ask_token()

    def on_observer_screen_admitted(self, message: ObserverScreen.Admitted) -> None:
        """Keep what a reload opens again."""
        _keep(self, f"{message.token.strip()} {message.who}")

    def leave_session(self) -> None:
        """Ask for the token of another session: a tab without an app would be a dead page."""
        _keep(self, "")
        self.ask_token()


def main(role: str, kept: str) -> None:
    """Run the app of this role until its tab is closed; `kept` is what a reload opens again, "" for nothing."""
    with _context() as context:
        if role == "observer":
            app = ObserverTab(context)
            app.kept = kept
            app.run()
        else:
            CandidateTab(context, _open(context, kept), lambda: run_checks(context, os.environ)).run()


def _open(context: AppContext, kept: str) -> Interview | None:
    """Return the session to go on with; None when there is none, or when it was finished or deleted elsewhere."""
    session, _, token = kept.partition(" ")
    try:
        interview = resume_interview(context, session) if session else None
    except EXPECTED_ERRORS:
        return None
    if interview is not None and token:
        # In the same tab the candidate's consent goes on: observers stay.
        interview.go_live(token)
    return interview


def _keep(app: App[Any], opened: str) -> None:
    """Let the server keep what is open, "" for nothing."""
    if isinstance(app._driver, WebDriver):
        app._driver.write_meta({"type": NOTE_TYPE, "session": opened})


@contextmanager
def _context() -> Iterator[AppContext]:
    """Hold the app's context, and quit once the server has ended."""
    threading.Thread(target=_end_with, args=(int(os.environ[SERVER_VARIABLE]),), daemon=True).start()
    with open_context() as context:
        yield context


def _end_with(server: int) -> None:
    """Quit in order once the server has ended, also when it was killed; by force when that takes too long."""
    while os.getppid() == server:
        time.sleep(POLL_SECONDS)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(QUIT_SECONDS)
    os._exit(1)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
