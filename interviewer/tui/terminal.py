"""The terminal around the app: its sizes, its clipboard, and its end. Imports no Textual."""

from __future__ import annotations

import base64
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping

COLUMNS_MIN, ROWS_MIN = 60, 15
WIDE_COLUMNS = 100
HIGH_ROWS = 30


TOOL_SECONDS_MAX = 1.0
_TMUX = "tmux"
SENT = "Sent to your terminal's clipboard (OSC 52). If the clipboard is empty, your terminal does not allow this."


def clipboard_commands(environ: Mapping[str, str], platform: str = sys.platform) -> list[tuple[str, ...]]:
    """Return the commands that would take a text on stdin, best first; none of them need be installed."""
    found: list[tuple[str, ...]] = []
    if not is_remote(environ):
        if platform == "darwin":
            found.append(("pbcopy",))
        if environ.get("WAYLAND_DISPLAY"):
            found.append(("wl-copy",))
        if environ.get("DISPLAY"):
            found += [("xclip", "-selection", "clipboard"), ("xsel", "--clipboard", "--input")]
    if environ.get("TMUX"):
        # By itself tmux ignores what programs in it send (set-clipboard external, allow-passthrough off). Asked by its
        # own command, it keeps the text and, by -w, sends it on to the terminal outside: under SSH as well.
        found.append((_TMUX, "load-buffer", "-w", "-"))
    return found


def is_remote(environ: Mapping[str, str]) -> bool:
    """Return whether the terminal is on another machine, so that a desktop of this one is not the user's."""
    return bool(environ.get("SSH_TTY") or environ.get("SSH_CONNECTION"))


def copy_with(text: str, commands: list[tuple[str, ...]]) -> str:
    """Return how the first command that took the text did it, as a sentence; "" when none did."""
    for command in commands:
        try:
            # xclip and wl-copy stay behind to serve the text; with a pipe of ours in hand they would be waited for.
            subprocess.run(
                command,
                input=text.encode("utf-8", "replace"),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=TOOL_SECONDS_MAX,
                check=True,
            )
        except (OSError, subprocess.SubprocessError):
            continue
        if command[0] == _TMUX:
            return "Copied to the tmux buffer, and to your terminal's clipboard if your terminal allows it."
        return f"Copied with {command[0]}."
    return ""


def terminal_sequence(text: str, environ: Mapping[str, str]) -> str:
    """Return what makes a terminal copy the text (OSC 52); within tmux also wrapped, so that it is let through."""
    plain = f"\x1b]52;c;{base64.b64encode(text.encode('utf-8', 'replace')).decode('ascii')}\a"
    if not environ.get("TMUX"):
        return plain
    return plain + "\x1bPtmux;" + plain.replace("\x1b", "\x1b\x1b") + "\x1b\\"


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
