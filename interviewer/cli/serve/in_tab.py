"""What every app in a tab does: it tells the server what a reload should open again, and ends when the server does."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from textual.app import App
from textual.drivers.web_driver import WebDriver

from interviewer.cli.serve.packets import NOTE_TYPE, SERVER_VARIABLE
from interviewer.config import find_folders, load_settings
from interviewer.interview.context import Kit

LOOK_SECONDS = 0.5
QUIT_SECONDS = 3.0


def keep(app: App[Any], opened: str) -> None:
    """Let the server keep what is open, "" for nothing."""
    if isinstance(app._driver, WebDriver):
        app._driver.write_meta({"type": NOTE_TYPE, "session": opened})


@contextmanager
def tab_kit() -> Iterator[Kit]:
    """Hold the app's kit, and quit when the server is gone."""
    threading.Thread(target=_end_with, args=(int(os.environ[SERVER_VARIABLE]),), daemon=True).start()
    folders = find_folders()
    with Kit(load_settings(folders, os.environ, {}), folders) as kit:
        yield kit


def _end_with(server: int) -> None:
    """Quit in order once the server is no more, also when it was killed; by force when that takes too long."""
    while os.getppid() == server:
        time.sleep(LOOK_SECONDS)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(QUIT_SECONDS)
    os._exit(1)
