"""Builds the command that gives a program its own namespaces and file system view, without any of the user's files."""

from __future__ import annotations

import os
import shutil
import subprocess
from functools import cache
from pathlib import Path

from sandbox.isolation.prelude import READABLE, SYSTEM

TMP_BYTES = 64 * 2**20
NOBODY = "65534"
MASKED = ("/proc/keys", "/proc/key-users", "/proc/kcore", "/proc/kallsyms", "/proc/timer_list", "/proc/sched_debug")
PROBE_SECONDS = 10.0
# Imports standard library modules, including a C extension. If a folder is missing from the sandbox's file system view,
# this probe fails instead of a later job.
PROBE = "import ctypes, json, os; assert os.getpid() < 9 and os.listdir('/tmp') == []; print('works')"


def bwrap_command(python: str, words: list[str]) -> list[str]:
    """Return the command that runs `python` with these arguments in its own file system view, starting in /tmp."""
    view = [word for path in SYSTEM for word in _shown(path)]
    view += [word for path in (*READABLE, *python_paths(python)) for word in ("--ro-bind-try", path, path)]
    # --size applies only to the next file system; without it, a program can fill memory through /tmp.
    sized = ["--size", str(TMP_BYTES)] if _has_size(_bubblewrap()) else []
    return [
        *(_bubblewrap(), "--die-with-parent", "--new-session", "--cap-drop", "ALL"),
        *("--unshare-user", "--uid", NOBODY, "--gid", NOBODY),
        *("--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--hostname", "cell"),
        *("--unshare-cgroup-try", "--dev", "/dev", *sized, "--tmpfs", "/dev/shm", "--remount-ro", "/dev"),
        *(*sized, "--tmpfs", "/tmp", *view, *_hidden(python), "--proc", "/proc", *_masked()),
        *("--remount-ro", "/", "--chdir", "/tmp", "--", python, *words),
    ]


@cache
def is_supported(python: str) -> bool:
    """Return whether bubblewrap can run this Python on this machine; the check runs once and takes about 50 ms."""
    if not _bubblewrap():
        return False
    command = bwrap_command(python, ["-I", "-S", "-c", PROBE])
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=PROBE_SECONDS, check=False, env={}
        )
    except (OSError, subprocess.SubprocessError):
        return False
    return done.returncode == 0 and done.stdout == b"works\n"


@cache
def python_paths(python: str) -> tuple[str, ...]:
    """Return the folders and files that a Python interpreter needs, including those of its virtual environment.

    Only the necessary parts are included: an interpreter in ~/bin must not expose the whole home folder.
    """
    steps = [Path(python)]
    while steps[-1].is_symlink():
        steps.append(steps[-1].parent / steps[-1].readlink())
    roots = dict.fromkeys(os.path.normpath(step.parent.parent) for step in (*steps, steps[-1].resolve()))
    paths = [str(Path(root, name)) for root in roots for name in ("bin", "lib", "lib64", "pyvenv.cfg")]
    return tuple(path for path in paths if os.path.exists(path))


def _hidden(python: str) -> list[str]:
    """Return the options that hide the project's own packages if they are installed next to torch.

    The packages contain the reference solutions. Verdicts would be just as reliable if the packages were visible. We
    hide them because a user who copies a solution learns nothing.
    """
    here = Path(__file__).parents[2]
    is_shown = any(here.is_relative_to(root) for root in python_paths(python))
    beside = [here / name for name in ("tasks", "graders", "interviewer")] if is_shown else []
    return [word for path in beside if path.is_dir() for word in ("--tmpfs", str(path))]


def _masked() -> list[str]:
    """Return the options that hide kernel files as Docker does, because they contain the host's keys and addresses."""
    return [word for path in MASKED if os.path.exists(path) for word in ("--ro-bind", "/dev/null", path)]


def _bubblewrap() -> str:
    return shutil.which("bwrap") or ""


@cache
def _has_size(bubblewrap: str) -> bool:
    done = subprocess.run([bubblewrap, "--help"], capture_output=True, text=True, check=False, timeout=PROBE_SECONDS)
    return "--size" in done.stdout + done.stderr


def _shown(path: str) -> list[str]:
    """Return the options that expose a system folder: as a symlink if it is one, otherwise as a bind mount."""
    if os.path.islink(path):
        return ["--symlink", os.readlink(path), path]
    return ["--ro-bind-try", path, path]
