"""Runs the real app on pipes, as a script or a screen reader would, and stores its output."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

WAIT_SECONDS = 60.0


class PipedApp:
    """Runs one app on pipes, and stores its output."""

    def __init__(self, home: Path, *arguments: str) -> None:
        self.output = ""
        self.process = subprocess.Popen(
            [sys.executable, "-m", "interviewer", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**os.environ, "INTERVIEWER_HOME": str(home)},
            text=True,
            bufsize=1,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout
        while chunk := os.read(self.process.stdout.fileno(), 65536):
            self.output += chunk.decode("utf-8", "replace")

    def type(self, *lines: str) -> None:
        """Type whole lines."""
        assert self.process.stdin
        for line in lines:
            self.process.stdin.write(f"{line}\n")

    def until(self, text: str, times: int = 1) -> None:
        """Wait until this has been printed this many times."""
        deadline = time.monotonic() + WAIT_SECONDS
        while self.output.count(text) < times:
            assert time.monotonic() < deadline, f"{text!r} was not printed:\n{self.output}"
            time.sleep(0.01)

    def ends(self) -> int:
        """Close the input, wait, and return the exit code."""
        assert self.process.stdin
        self.process.stdin.close()
        code = self.process.wait(WAIT_SECONDS)
        self._reader.join(WAIT_SECONDS)
        return code

    def kill(self, number: int = signal.SIGKILL) -> None:
        """Kill the process without warning."""
        if self.process.poll() is None:
            self.process.send_signal(number)
            self.process.wait(WAIT_SECONDS)
