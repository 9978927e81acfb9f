"""Runs a program in a pseudo-terminal of 120×40 cells, and measures when it draws what, and at what cost."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

ROWS, COLUMNS = 40, 120
PATIENCE_SECONDS = 60.0
_TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
_REPLIES = {b"\x1b[?2026$p": b"\x1b[?2026;2$y", b"\x1b[6n": b"\x1b[1;1R", b"\x1b[c": b"\x1b[?62;c"}


class Terminal:
    """A program in a terminal; times are on the monotonic clock, from its start or from the last keys."""

    def __init__(self, words: Sequence[str], environment: Mapping[str, str]) -> None:
        self.began = time.perf_counter()
        self.process, self._terminal = pty.fork()
        if self.process == 0:
            os.execve(words[0], list(words), {**environment, "TERM": "xterm-256color", "COLORTERM": "truecolor"})
        fcntl.ioctl(self._terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        self.drawn = b""

    def press(self, keys: str) -> None:
        """Send the keys; earlier output is discarded, and time is measured from here."""
        self.drawn = b""
        self.began = time.perf_counter()
        os.write(self._terminal, keys.encode())

    def until(self, text: str) -> float:
        """Return the seconds until the text was drawn. Raises AssertionError, with the output, if it was not drawn."""
        while text.encode() not in self.drawn:
            assert self._read(PATIENCE_SECONDS), f"{text!r} was never drawn; the end: {self.drawn[-300:]!r}"
        return time.perf_counter() - self.began

    def rest(self, seconds: float) -> None:
        """Read the output for this many seconds."""
        end = time.perf_counter() + seconds
        while (left := end - time.perf_counter()) > 0:
            self._read(left)

    def resident_bytes(self) -> int:
        """Return the memory that the program uses now."""
        lines = Path(f"/proc/{self.process}/status").read_text(encoding="ascii").splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmRSS:"))

    def cpu_seconds(self) -> float:
        """Return the processor time used by all threads of the program."""
        fields = Path(f"/proc/{self.process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS_PER_SECOND

    def quit(self, keys: str) -> float:
        """Return the seconds from these keys until the program has exited."""
        self.press(keys)
        self.ended()
        return time.perf_counter() - self.began

    def ended(self) -> int:
        """Read the program's output until it exits, and return its exit code."""
        while self._read(PATIENCE_SECONDS):
            pass
        _, status = os.waitpid(self.process, 0)
        os.close(self._terminal)
        return os.waitstatus_to_exitcode(status)

    def hang_up(self, seconds: float) -> int:
        """Close the terminal under the program and return its exit code. Raises AssertionError if it keeps running."""
        os.close(self._terminal)
        end = time.monotonic() + seconds
        while True:
            process, status = os.waitpid(self.process, os.WNOHANG)
            if process:
                return os.waitstatus_to_exitcode(status)
            if time.monotonic() > end:
                os.killpg(self.process, signal.SIGKILL)
                raise AssertionError(f"the program goes on without its terminal for more than {seconds:g} s")
            time.sleep(0.05)

    def kill(self) -> None:
        """Kill the program immediately."""
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)
        os.close(self._terminal)

    def _read(self, seconds: float) -> bool:
        if not select.select([self._terminal], [], [], seconds)[0]:
            return False
        try:
            piece = os.read(self._terminal, 1 << 16)
        except OSError:  # how Linux reports that the program has closed its end
            return False
        # A terminal replies to queries; some programs wait for the reply.
        for asked, reply in _REPLIES.items():
            if asked in piece:
                os.write(self._terminal, reply)
        self.drawn += piece
        return bool(piece)
