"""Tells the user that the app is starting, before anything slow is imported.

Imports only modules that Python itself has already loaded.
"""

from __future__ import annotations

import os
import sys

# The text is ASCII, because it is printed before the output is transliterated.
STARTING = "Starting interviewer. The first start takes longer than later ones."
SLOW_COMMANDS = frozenset({"interview", "challenge", "doctor"})
# These options only print help, which is quick.
HELP_OPTIONS = frozenset({"--help", "-h"})
_shown = [False]


def has_terminal() -> bool:
    """Return whether there is a terminal that can display the app and send keys."""
    can_draw = os.environ.get("TERM", "") not in {"dumb", "unknown"}
    return sys.stdin.isatty() and sys.stdout.isatty() and can_draw


def starts_slowly(arguments: list[str]) -> bool:
    """Return whether a command opens the app, or may print nothing for a second or more on a slow machine."""
    if not arguments:
        return "_INTERVIEWER_COMPLETE" not in os.environ
    return arguments[0] in SLOW_COMMANDS and HELP_OPTIONS.isdisjoint(arguments)


def say_starting() -> None:
    """Tell the user on the terminal that the app is starting; `clear_starting` removes the line."""
    if has_terminal() and sys.stderr.isatty():
        # The cursor stays at the start of the line; the terminal restores this position when the app leaves the
        # alternate screen.
        sys.stderr.write(f"{STARTING}\r")
        sys.stderr.flush()
        _shown[0] = True


def clear_starting() -> None:
    """Remove the line that `say_starting` printed, before anything else is printed."""
    if _shown[0]:
        sys.stderr.write("\x1b[K")
        sys.stderr.flush()
        _shown[0] = False
