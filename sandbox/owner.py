"""Marks containers and temp folders with their owner, so that a later process can recognize abandoned ones."""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import subprocess
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from sandbox.process.supervisor import open_folders

PROJECT_LABEL = "interviewer.sandbox"
OWNER_LABEL = "interviewer.owner"
DEADLINE_LABEL = "interviewer.deadline"
FOLDER_WORD = "interviewer"
# Extra time for creating, starting and removing a container on a busy engine, in addition to the job's own deadline.
GRACE_SECONDS = 120.0


def owner_labels(wall_seconds: float, wait_seconds: float = 0.0) -> dict[str, str]:
    """Return the labels for a container of this process.

    The container becomes stale once the waiting time and then the deadline have passed.
    """
    return {
        PROJECT_LABEL: "cell",
        OWNER_LABEL: owner_of(os.getpid()),
        DEADLINE_LABEL: str(int(time.time() + wait_seconds + 2 * wall_seconds + GRACE_SECONDS)),
    }


def is_stale(labels: Mapping[str, str]) -> bool:
    """Return whether the deadline has passed or, if the owner ran on this machine, whether the owner has exited."""
    deadline = labels.get(DEADLINE_LABEL, "")
    if not deadline.isdigit() or time.time() > int(deadline):
        return True
    machine, _, rest = labels.get(OWNER_LABEL, "").partition(" ")
    pid = rest.partition(" ")[0]
    if machine != _machine() or not pid.isdigit():
        return False
    return owner_of(int(pid)) != labels[OWNER_LABEL]


def owner_of(pid: int) -> str:
    """Return an identifier for a process: machine, process id and start time, because process ids are reused."""
    return f"{_machine()} {pid} {_started(pid)}"


def folder_prefix() -> str:
    """Return the name prefix of this process's temp folders."""
    return _folder_prefix(os.getpid())


def is_abandoned(folder_name: str) -> bool:
    """Return whether a temp folder's owner has exited; False for folders of other apps or machines."""
    pid = (*folder_name.split("-"), "", "")[2]
    if not pid.isdigit() or not folder_name.startswith(f"{FOLDER_WORD}-{_digest(_machine())}-{pid}-"):
        return False
    return not folder_name.startswith(_folder_prefix(int(pid)))


def use_own_temp_folder() -> Path:
    """Create a temp folder for this process, make it the default and return it; its name identifies the process.

    Folders of exited processes are removed first.
    """
    for path in Path(tempfile.gettempdir()).iterdir():
        if is_abandoned(path.name):
            open_folders(str(path))
            shutil.rmtree(path, ignore_errors=True)
    tempfile.tempdir = tempfile.mkdtemp(prefix=folder_prefix())
    return Path(tempfile.tempdir)


def _folder_prefix(pid: int) -> str:
    return f"{FOLDER_WORD}-{_digest(_machine())}-{pid}-{_digest(_started(pid))}-"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def _machine() -> str:
    """Return an id for the PID namespace; two containers on one host share the engine but not this namespace."""
    space = Path("/proc/self/ns/pid")
    return f"{platform.node()}/{os.readlink(space)}" if space.exists() else platform.node()


def _started(pid: int) -> str:
    """Return a process's start time as the system formats it; empty if there is no such process."""
    if Path("/proc/self/stat").exists():
        try:
            return (
                Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[19]
            )
        except OSError:
            return ""
    # The start time must not depend on the caller's time zone or language.
    environ = {**os.environ, "LC_ALL": "C", "TZ": "UTC"}
    words = ["ps", "-o", "lstart=", "-p", str(pid)]
    return subprocess.run(words, capture_output=True, text=True, check=False, env=environ).stdout.strip()
