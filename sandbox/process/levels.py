"""Chooses the isolation level for a process on machines without Docker; the level is tested, never assumed."""

from __future__ import annotations

import os
import platform
import sys
from enum import StrEnum

from sandbox.isolation.landlock import landlock_abi
from sandbox.isolation.prelude import DEVICES, SHARED_PROC, with_prelude
from sandbox.isolation.seccomp import kernel_filter
from sandbox.job import Job
from sandbox.process import bubblewrap

# Older versions of Landlock cannot stop a program from truncating files, so they do not protect a home directory.
LANDLOCK_MIN = 3


class Level(StrEnum):
    """The mechanisms that isolate a process, strongest first."""

    BUBBLEWRAP = "bubblewrap"
    LANDLOCK = "landlock"
    PLAIN = "plain"


ISOLATION = {
    Level.BUBBLEWRAP: (
        "process in bubblewrap: no network, no access to your files, its own process list, limits on time, open files "
        "and memory of each process. Not limited: memory, processes and cores in total; the kernel is shared."
    ),
    Level.LANDLOCK: (
        "process under Landlock: cannot read, write or run your files, no network unless the task has several "
        "ranks, limits on time, open files and memory of each process. Not blocked: reading and changing the dates and "
        "modes of your files and, before Landlock 6, sending signals to your programs. Not limited: memory, processes "
        "and cores in total; the kernel is shared."
    ),
    Level.PLAIN: (
        "plain process under your own user: time limit, clean environment, limits on memory, files and processes. "
        "The code can read and change your files and use your network: only run code you trust."
    ),
}

FORGERY = (
    "A verdict is equally hard to forge on every level, because results are compared outside the sandbox; "
    "the levels differ in what the code can do to this machine."
)
FORGERY_AS_ROOT = (
    "The exception is this level as root: the code for a multi-rank task can then change the memory of the process "
    "that reports its results. Grade as a different user, or use Docker."
)


def best_level(python: str) -> Level:
    """Return the strongest isolation level that works on this machine with this Python; macOS supports only `PLAIN`."""
    if sys.platform != "linux":
        return Level.PLAIN
    if bubblewrap.is_supported(python):
        return Level.BUBBLEWRAP
    # Landlock also needs the system call filter: on its own, it blocks neither UDP nor the sockets of other programs.
    is_restricted = landlock_abi() >= LANDLOCK_MIN and kernel_filter(False, "cpu", platform.machine())
    return Level.LANDLOCK if is_restricted else Level.PLAIN


def forgery(level: Level) -> str:
    """Return how hard it is for this user's programs to forge a verdict at this level."""
    # Root can open the memory of a process that is not dumpable; the other levels prevent this.
    is_exception = level is Level.PLAIN and os.geteuid() == 0
    return f"{FORGERY} {FORGERY_AS_ROOT}" if is_exception else FORGERY


def level_for(level: Level, job: Job) -> Level:
    """Return the level for one job; a GPU driver needs devices and system calls that the restrictions block."""
    return Level.PLAIN if job.device == "cuda" else level


def folder_inside(level: Level, folder: str) -> str:
    """Return the path of the temp folder as the program sees it."""
    return "/tmp" if level is Level.BUBBLEWRAP else folder


def command(level: Level, python: str, job: Job, folder: str) -> list[str]:
    """Return the command that runs the job's program with its restrictions."""
    start = ["-I", "-u", "-c"]
    if level is Level.PLAIN:
        return [python, *start, job.whole_program]
    steps = kernel_filter(job.has_loopback, job.device, platform.machine())
    own = bubblewrap.python_paths(python)
    if level is Level.LANDLOCK:
        return [
            python,
            *start,
            with_prelude(job.whole_program, own, (folder, *DEVICES), steps, SHARED_PROC, LANDLOCK_MIN),
        ]
    return bubblewrap.bwrap_command(
        python, [*start, with_prelude(job.whole_program, own, ("/tmp", "/dev/shm", *DEVICES), steps)]
    )
