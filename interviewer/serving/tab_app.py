"""The app as it runs in one tab, started by the server: says which session is open, and ends when the server does."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from typing import TYPE_CHECKING

from textual.drivers.web_driver import WebDriver

from interviewer.config import find_folders, load_settings
from interviewer.doctor import examine
from interviewer.kit import Kit, KitError
from interviewer.serving.packets import NOTE_TYPE
from interviewer.tui.app import InterviewerApp

if TYPE_CHECKING:
    from interviewer.driver import Interview
    from interviewer.session.state import Session

LOOK_SECONDS = 0.5
QUIT_SECONDS = 3.0


class TabApp(InterviewerApp):
    """Run the app in a tab."""

    # Textual looks beside the file of the class that is run.
    CSS_PATH = "../tui/app.tcss"

    def _show_interview(self, interview: Interview) -> None:
        super()._show_interview(interview)
        self._note(interview.session.id)

    def _leave_stage(self, debrief_of: Session | None) -> None:
        super()._leave_stage(debrief_of)
        self._note("")

    def _note(self, session: str) -> None:
        if isinstance(self._driver, WebDriver):
            self._driver.write_meta({"type": NOTE_TYPE, "session": session})


def main(arguments: list[str]) -> None:
    """Run the app until its tab is closed; the one argument is the session to open, "" for none."""
    server = os.getppid()
    threading.Thread(target=_end_with, args=(server,), daemon=True).start()
    folders = find_folders()
    with Kit(load_settings(folders, os.environ, {}), folders) as kit:
        TabApp(kit, _open(kit, arguments[0]), lambda: examine(kit, os.environ)).run()


def _open(kit: Kit, session: str) -> Interview | None:
    """Return the session to go on with; None when there is none, or when it was finished or deleted elsewhere."""
    try:
        return kit.resume(session) if session else None
    except KitError:
        return None


def _end_with(server: int) -> None:
    """Quit in order once the server is no more, also when it was killed; by force when that takes too long."""
    while os.getppid() == server:
        time.sleep(LOOK_SECONDS)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(QUIT_SECONDS)
    os._exit(1)


if __name__ == "__main__":
    main(sys.argv[1:])
