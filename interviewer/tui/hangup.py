"""Ends the app when its terminal is gone and nobody tells it, as below a `make` that leads the session.

The kernel sends SIGHUP to the leader alone; GNU make then waits for the app, and the app, which reads an end that never
ends, would draw into nothing and take half a core. A thread, because the event loop stops once the queue to a terminal
that is gone is full.
"""

from __future__ import annotations

import os
import select
import signal
import threading
import time

# For the app to quit in order; drafts are on disk a second after they were typed in any case.
QUIT_SECONDS = 3.0


def watch_terminal(descriptor: int = 0) -> None:
    """Send this process SIGHUP when the terminal behind the descriptor hangs up, and end it if that does not.

    Nothing is watched where the descriptor is no terminal, as in a browser's tab.
    """
    if os.isatty(descriptor):
        threading.Thread(target=_watch, args=(descriptor,), name="terminal-watch", daemon=True).start()


def _watch(descriptor: int) -> None:
    poll = select.poll()
    poll.register(descriptor, 0)  # hanging up is told unasked
    if any(happened & select.POLLHUP for _, happened in poll.poll()):
        os.kill(os.getpid(), signal.SIGHUP)
        time.sleep(QUIT_SECONDS)
        os._exit(128 + signal.SIGHUP)
