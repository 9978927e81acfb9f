"""Tells the user that the app is starting, before anything slow is imported.

Imports only modules that Python itself has already loaded.
"""

from __future__ import annotations

import os
import sys

# ASCII, because it is printed before the output is transliterated.
STARTING = "Starting interviewer. The first start takes longer than later ones."
APP_COMMANDS = frozenset({"interview", "challenge"})
# With these, the commands print lines instead of opening the app.
LINE_OPTIONS = frozenset({"--plain", "--help", "-h"})
_shown = [False]


def has_terminal() -> bool:
    """Return whether there is a terminal that can display the app and send keys."""
    can_draw = os.environ.get("TERM", "") not in {"dumb", "unknown"}
    return sys.stdin.isatty() and sys.stdout.isatty() and can_draw


def opens_app(arguments: list[str]) -> bool:
    """Return whether a command line opens the app: it names no command, or one that opens the app."""
    if not arguments:
        return "_INTERVIEWER_COMPLETE" not in os.environ
    return arguments[0] in APP_COMMANDS and LINE_OPTIONS.isdisjoint(arguments)


def say_starting() -> None:
    """Tell the user on the terminal that the app is starting; `clear_starting` removes the line."""
    if has_terminal() and sys.stderr.isatty():
        # The cursor stays at the start of the line; the terminal restores this position when the app leaves the
        # alternate screen.
        sys.stderr.write(f"{STARTING}\r")
        sys.stderr.flush()
        _shown[0] = True


def clear_starting() -> None:
    """Remove the line of `say_starting`, before anything else is printed."""
    if _shown[0]:
        sys.stderr.write("\x1b[K")
        sys.stderr.flush()
        _shown[0] = False
