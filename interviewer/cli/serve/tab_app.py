"""The candidate's app as it runs in one tab: a reload opens the same session, with the token that observers have."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from interviewer.cli.doctor import examine
from interviewer.cli.serve.in_tab import keep, tab_kit
from interviewer.errors import EXPECTED_ERRORS
from interviewer.interview.context import Kit
from interviewer.interview.sessions import resume_interview
from interviewer.tui.app import InterviewerApp

if TYPE_CHECKING:
    from interviewer.interview.runner import Interview
    from interviewer.session.state import Session

LOOK_SECONDS = 0.5


class TabApp(InterviewerApp):
    """Run the app in a tab."""

    # Textual looks beside the file of the class that is run.
    CSS_PATH = "../../tui/app.tcss"
    _kept = ""

    def on_ready(self) -> None:
        """Look whether observers were let in meanwhile; the rest is the base class's, called by Textual."""
        self.set_interval(LOOK_SECONDS, self._look)

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
            door = self._session_screen.interview.door
            opened = f"{self._session_screen.interview.session.id} {door.token if door else ''}".rstrip()
        if opened != self._kept:
            self._kept = opened
            keep(self, opened)


def main(kept: str) -> None:
    """Run the app until its tab is closed; `kept` is the session to open, "" for none, and its observers' token."""
    with tab_kit() as kit:
        TabApp(kit, _open(kit, kept), lambda: examine(kit, os.environ)).run()


def _open(kit: Kit, kept: str) -> Interview | None:
    """Return the session to go on with; None when there is none, or when it was finished or deleted elsewhere."""
    session, _, token = kept.partition(" ")
    try:
        interview = resume_interview(kit, session) if session else None
    except EXPECTED_ERRORS:
        return None
    if interview is not None and token:
        # In the same tab the candidate's consent goes on: observers stay.
        interview.go_live(token)
    return interview


if __name__ == "__main__":
    main(sys.argv[1])
