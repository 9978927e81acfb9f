"""Functions for the terminal that the app runs in: size limits, clipboard, and hangup. Does not import Textual."""

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
SENT = "Sent to your terminal's clipboard (OSC 52). If the clipboard is empty, your terminal does not allow OSC 52."


def clipboard_commands(environ: Mapping[str, str], platform: str = sys.platform) -> list[tuple[str, ...]]:
    """Return commands that copy text from stdin to the clipboard, best first; they may not be installed."""
    found: list[tuple[str, ...]] = []
    if not is_remote(environ):
        if platform == "darwin":
            found.append(("pbcopy",))
        if environ.get("WAYLAND_DISPLAY"):
            found.append(("wl-copy",))
        if environ.get("DISPLAY"):
            found += [("xclip", "-selection", "clipboard"), ("xsel", "--clipboard", "--input")]
    if environ.get("TMUX"):
        # By default, tmux ignores escape sequences from the programs in it (set-clipboard external, allow-passthrough
        # off). tmux's own command stores the text in a buffer and, with -w, sends it to the outer terminal, including
        # over SSH.
        found.append((_TMUX, "load-buffer", "-w", "-"))
    return found


def is_remote(environ: Mapping[str, str]) -> bool:
    """Return whether the terminal is on a different machine, so that this machine's clipboard is not the user's."""
    return bool(environ.get("SSH_TTY") or environ.get("SSH_CONNECTION"))


def copy_with(text: str, commands: list[tuple[str, ...]]) -> str:
    """Copy the text with the first command that works, and return a sentence that names it; "" if all fail."""
    for command in commands:
        try:
            # xclip and wl-copy keep running to serve the text; if their output were a pipe, this call would wait.
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
    """Return the escape sequence that makes a terminal copy the text (OSC 52), also wrapped for tmux if needed."""
    plain = f"\x1b]52;c;{base64.b64encode(text.encode('utf-8', 'replace')).decode('ascii')}\a"
    if not environ.get("TMUX"):
        return plain
    return plain + "\x1bPtmux;" + plain.replace("\x1b", "\x1b\x1b") + "\x1b\\"


# How long a clean exit may take. Drafts are saved within a second of typing, so they do not depend on a clean exit.
QUIT_SECONDS = 3.0


def watch_terminal(descriptor: int = 0) -> None:
    """Send this process SIGHUP when its terminal hangs up, and exit if the signal does not end the process.

    If the descriptor is not a terminal, for example in a browser tab, there is nothing to watch.
    """
    if os.isatty(descriptor):
        threading.Thread(target=_watch, args=(descriptor,), name="terminal-watch", daemon=True).start()


def _watch(descriptor: int) -> None:
    poll = select.poll()
    poll.register(descriptor, 0)  # POLLHUP is always reported
    if any(happened & select.POLLHUP for _, happened in poll.poll()):
        os.kill(os.getpid(), signal.SIGHUP)
        time.sleep(QUIT_SECONDS)
        os._exit(128 + signal.SIGHUP)
