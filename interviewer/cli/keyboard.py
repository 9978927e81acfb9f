"""Asks the terminal whether it tells keys apart that old terminals send alike: the Kitty keyboard protocol."""

from __future__ import annotations

import os
import re
import select
import termios
import time
import tty
from typing import IO, Any

from interviewer.cli.checking import Check

# Every terminal answers the second question; one that knows the protocol answers the first before it.
QUESTION = b"\x1b[?u\x1b[c"
PATIENCE_SECONDS = 0.5
_FIRST_ANSWER = re.compile(rb"\x1b\[\?\d+u")
_KNOWN = "told apart (Kitty protocol): also shift+enter and ctrl+enter arrive"
_UNKNOWN = "as in old terminals: shift+enter and the like arrive as enter; every action has a key that works here"


def keyboard(keys: IO[Any], screen: IO[Any]) -> Check:
    """Return what the terminal of both says of its keys; it must not be asked while the app reads from it."""
    if not (keys.isatty() and screen.isatty()):
        return Check("keyboard", True, "not asked: no terminal here")
    reply = _asked(keys.fileno(), screen.fileno())
    if not reply:
        return Check("keyboard", True, f"the terminal says nothing of its keys; taken {_UNKNOWN}")
    return Check("keyboard", True, f"keys are {_KNOWN if _FIRST_ANSWER.search(reply) else _UNKNOWN}")


def _asked(read_from: int, write_to: int) -> bytes:
    """Return what the terminal answers to both questions; what comes later is thrown away, and never typed on."""
    before = termios.tcgetattr(read_from)
    reply, end = b"", time.monotonic() + PATIENCE_SECONDS
    try:
        tty.setcbreak(read_from, termios.TCSAFLUSH)
        os.write(write_to, QUESTION)
        while not reply.endswith(b"c") and select.select([read_from], [], [], max(0.0, end - time.monotonic()))[0]:
            reply += os.read(read_from, 256)
    finally:
        termios.tcsetattr(read_from, termios.TCSAFLUSH, before)
    return reply
