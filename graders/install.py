"""Installs torch in the background, so that the app can be used while torch is downloaded.

`python -m graders.install COMMAND ...` starts an installer in its own process and returns at once. Until the installer
exits, `installation()` returns its progress. Only grading needs torch, so only grading waits for the installer.
`python -m graders.install --uv-options` prints the options that make uv use the indexes that pip is configured to use.

The installer writes to a pseudo-terminal, because uv shows the progress of a download only on a terminal.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from importlib.util import find_spec
from pathlib import Path

STATUS = Path(sys.prefix) / "torch-install.json"
POLL_SECONDS = 0.5
# The terminal size in rows and columns; uv omits any output that does not fit.
TERMINAL_SIZE = (50, 200)

# Patterns are compiled when they are used, because the app imports this module before its first frame.
# pip --progress-bar raw prints the progress in bytes; uv prints a line such as "torch ---------- 12.00 MiB/176.00 MiB".
_PIP = r"Progress (\d+) of (\d+)"
_UV = r"([\d.]+) (B|[KMGT]iB)/([\d.]+) (B|[KMGT]iB)"
_UNITS = {"B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40}
_ESCAPE = r"\x1b\[[0-?]*[ -/]*[@-~]"
_LINE_END = r"[\r\n]+|\x1b\[\d*[A-F]"
_ERROR_CHARS_MAX = 300
# pip settings that have an equivalent uv option, mapped to uv's names.
_UV_OPTIONS = {
    "constraint": "constraint",
    "extra-index-url": "extra-index-url",
    "find-links": "find-links",
    "index-url": "default-index",
}


@dataclass(frozen=True)
class Installation:
    """A running installation, or the error from the last one.

    `percent` is the percentage of torch that has been downloaded; None until it is known, and None again after the
    download. `began_at` is in seconds since the Unix epoch; 0 if it is unknown.
    """

    pid: int
    percent: int | None = None
    error: str = ""
    began_at: float = 0.0

    @property
    def text(self) -> str:
        """Return the message for a candidate whose submission cannot be graded yet.

        If no percentage is known, the message says how long the installation has been running.
        """
        done = "" if self.percent is None else f" ({self.percent} %)"
        if self.percent is None and self.began_at:
            done = f" ({_duration(time.time() - self.began_at)} so far)"
        return f"PyTorch is still being installed{done}"


def installation() -> Installation | None:
    """Return the running or failed installation; None if neither exists, for example once torch is installed."""
    try:
        status = Installation(**json.loads(STATUS.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None
    if not status.error and _is_alive(status.pid):
        return status
    # The user may have installed torch manually after an installer failed.
    if find_spec("torch") is not None:
        return None
    return replace(status, error=status.error or "the installer was stopped")


def is_missing() -> bool:
    """Return whether torch is missing or still being installed."""
    return installation() is not None or find_spec("torch") is None


def install(command: list[str]) -> int:
    """Run the installer's command, record its progress in the status file, and return the exit code."""
    last_line = ""
    status = Installation(os.getpid(), began_at=time.time())
    _save(status)
    ours, theirs = os.openpty()
    termios.tcsetwinsize(theirs, TERMINAL_SIZE)
    environ = {**os.environ, "TERM": "xterm", "NO_COLOR": "1"}
    # stdout and stderr share one stream, because the last line printed to either one says why an installer failed.
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs, env=environ) as installer:
        os.close(theirs)
        largest = 0
        for line in _lines(ours):
            found = _progress(line)
            # The largest file is torch itself; the progress of smaller files says little about the time left.
            if found and found[1] >= largest:
                largest = found[1]
                percent = 100 * found[0] // max(largest, 1)
                # After the download, the installer unpacks the file without reporting progress.
                now = replace(status, percent=percent if percent < 100 else None)
                if now != status:
                    _save(status := now)
            elif not found and line:
                last_line = line[:_ERROR_CHARS_MAX]
    os.close(ours)
    if installer.returncode:
        _save(replace(status, percent=None, error=last_line or f"exit code {installer.returncode}"))
    else:
        STATUS.unlink(missing_ok=True)
    return installer.returncode


def _lines(terminal: int) -> Iterator[str]:
    """Yield a program's terminal output, without escape codes, split wherever the cursor moves to a different line."""
    rest = ""
    while True:
        try:
            read = os.read(terminal, 2**16)
        except OSError:  # on Linux, this means the end of the program's output
            read = b""
        *whole, rest = re.split(_LINE_END, rest + read.decode(errors="replace"))
        for line in whole if read else [*whole, rest]:
            yield re.sub(_ESCAPE, "", line).strip()
        if not read:
            return


def _progress(line: str) -> tuple[int, int] | None:
    """Return the bytes downloaded and the file's size in bytes, as pip or uv reports them; None for any other line."""
    if found := re.search(_PIP, line):
        return int(found[1]), int(found[2])
    if found := re.search(_UV, line):
        return round(float(found[1]) * _UNITS[found[2]]), round(float(found[3]) * _UNITS[found[4]])
    return None


def uv_options(settings: str) -> list[str] | None:
    """Return uv's options for the settings that `pip config list` prints; None if uv would not reach pip's indexes.

    For example, "global.find-links='/wheels'" becomes "--find-links=/wheels".
    """
    options = []
    for line in settings.splitlines():
        name, _, quoted = line.partition("=")
        name, values = name.rpartition(".")[2], quoted.strip("'\"").split()
        if name == "proxy":
            return None
        if name == "no-index" and values[0].lower() in ("1", "true", "yes", "on"):
            options.append("--no-index")
        options += [f"--{_UV_OPTIONS[name]}={value}" for value in values if name in _UV_OPTIONS]
    return options


def _print_uv_options() -> int:
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "config", "list"]
    options = uv_options(subprocess.run(pip, capture_output=True, text=True, check=False).stdout)
    sys.stdout.write(shlex.join(options or []) + "\n")
    return options is None


def main(arguments: list[str]) -> int:
    """Start the installer in the background unless torch is installed or being installed.

    With --wait, only wait for a running installer.
    """
    if arguments == ["--uv-options"]:
        return _print_uv_options()
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


def _duration(seconds: float) -> str:
    whole = max(0, int(seconds))
    return f"{whole} s" if whole < 60 else f"{whole // 60} min"


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
