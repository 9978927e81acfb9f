"""Installs torch in the background, so that the app can be used while torch is downloaded.

`python -m graders.install COMMAND ...` starts an installer in its own process and returns at once. Until the installer
exits, `installation()` returns its progress. Only grading needs torch, and it waits for the installer.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from dataclasses import asdict, dataclass, replace
from importlib.util import find_spec
from pathlib import Path

STATUS = Path(sys.prefix) / "torch-install.json"
POLL_SECONDS = 0.5
_DOWNLOAD = re.compile(r"Progress (\d+) of (\d+)")  # pip --progress-bar raw; in bytes
_ERROR_CHARS_MAX = 300


@dataclass(frozen=True)
class Installation:
    """An installation that is running, or the error of the last one. `percent` is None while it is unknown."""

    pid: int
    percent: int | None = None
    error: str = ""

    @property
    def text(self) -> str:
        """Return the message for a candidate whose submission cannot be graded yet."""
        done = "" if self.percent is None else f" ({self.percent} %)"
        return f"PyTorch is still being installed{done}"


def installation() -> Installation | None:
    """Return the running or failed installation; None if there is none, for example once torch is installed."""
    try:
        status = Installation(**json.loads(STATUS.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None
    if not status.error and _is_alive(status.pid):
        return status
    # The user may have installed torch by hand since an installer failed.
    if find_spec("torch") is not None:
        return None
    return replace(status, error=status.error or "the installer was stopped")


def is_missing() -> bool:
    """Return whether torch cannot be imported yet."""
    return installation() is not None or find_spec("torch") is None


def install(command: list[str]) -> int:
    """Run the installer's command, record its progress in the status file, and return the exit code."""
    last_line = ""
    _save(Installation(os.getpid()))
    # One stream for output and errors: the last line of either says why an installer failed.
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    ) as installer:
        assert installer.stdout is not None
        largest = 0
        for line in installer.stdout:
            # The largest file is torch itself; the progress of smaller files says little about the remaining wait.
            if (found := _DOWNLOAD.search(line)) and int(found[2]) >= largest:
                largest = int(found[2])
                _save(Installation(os.getpid(), 100 * int(found[1]) // max(largest, 1)))
            elif not found and line.strip():
                last_line = line.strip()[:_ERROR_CHARS_MAX]
    if installer.returncode:
        _save(Installation(os.getpid(), error=last_line or f"exit code {installer.returncode}"))
    else:
        STATUS.unlink(missing_ok=True)
    return installer.returncode


def main(arguments: list[str]) -> int:
    """Start the installer in the background unless torch is installed or being installed; --wait only waits for it."""
    running = installation()
    if arguments == ["--wait"]:
        while (running := installation()) and not running.error:
            time.sleep(POLL_SECONDS)
        return 0
    if arguments[0] == "--now":
        return install(arguments[1:])
    if (running and not running.error) or not is_missing():
        return 0
    # Start a new session, so that closing the terminal or pressing ctrl+c in the app does not stop the download.
    subprocess.Popen(
        [sys.executable, "-m", "graders.install", "--now", *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    return 0


def _save(status: Installation) -> None:
    # Replace the file atomically, because the app may read it at any time.
    new = STATUS.with_suffix(".new")
    new.write_text(json.dumps(asdict(status)), encoding="utf-8")
    new.replace(STATUS)


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
