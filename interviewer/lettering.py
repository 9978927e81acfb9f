"""Which letters the user's terminal has: ASCII where the locale asks for it, Unicode else; needs nothing but `os`."""

from __future__ import annotations

import os
from collections.abc import Mapping

# What Python itself puts into LC_CTYPE when it starts in the C locale (PEP 538).
_COERCED = frozenset({"C.UTF-8", "C.utf8", "UTF-8"})
# Where Linux keeps the environment as it was given, whatever the program has changed since.
_GIVEN = "/proc/self/environ"


def draws_ascii(environ: Mapping[str, str] = os.environ) -> bool:
    """Return whether only ASCII may be drawn: the locale that holds is C, POSIX or one of another charset than UTF-8.

    With no locale set at all the answer is no. POSIX would say C, and tmux and ncurses follow it; but nobody asked for
    ASCII there: it is the usual state in containers and over ssh, from terminals that all speak UTF-8, and Python
    itself takes it for UTF-8. What Python took is no witness, though: it does the same for LC_ALL=C.
    """
    if "web_driver" in environ.get("TEXTUAL_DRIVER", ""):
        return False  # a browser draws it, whatever the locale of the server is
    name = environ.get("LC_ALL") or _ctype(environ) or environ.get("LANG") or "UTF-8"
    return "UTF8" not in name.upper().replace("-", "")


def _ctype(environ: Mapping[str, str]) -> str:
    """Return the LC_CTYPE that the user set; one that Python has put in its place does not count."""
    ctype = environ.get("LC_CTYPE", "")
    if environ is not os.environ or ctype not in _COERCED:
        return ctype
    try:
        with open(_GIVEN, "rb") as environment:
            given = environment.read().split(b"\0")
    except OSError:
        # No such file: where LANG asks for ASCII, the other one is rather Python's than the user's.
        return "" if environ.get("LANG") in {"C", "POSIX"} else ctype
    return next((line[9:].decode("utf-8", "replace") for line in given if line.startswith(b"LC_CTYPE=")), "")


def speak_ascii(environ: Mapping[str, str] = os.environ) -> None:
    """Let what is printed be spelled out in ASCII where the locale asks for it; else it stays as it is."""
    if draws_ascii(environ):
        from interviewer.tui.ascii import spell_streams

        spell_streams()
