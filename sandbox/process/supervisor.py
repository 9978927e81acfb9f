"""Runs one program as a child process and always removes all of its processes and files when it ends.

The supervisor is started by path in a separate interpreter and uses only the standard library:
`supervisor.py LEASH FOLDER LIMITS COMMAND...`. LEASH is the file descriptor of a socket. When the socket's other end
closes, for example because the app was killed, the supervisor ends the program. The supervisor runs as the same user as
the program, so a hostile program can kill the supervisor. The supervisor's cleanup is reliable only for well-behaved
programs.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import select
import shutil
import signal
import sys
from contextlib import suppress

PR_SET_CHILD_SUBREAPER = 36


def main() -> int:
    """Run the program; return its exit code, or 128 + signal number if a signal ended it."""
    leash, folder, limits, command = int(sys.argv[1]), sys.argv[2], json.loads(sys.argv[3]), sys.argv[4:]
    os.set_inheritable(leash, False)
    adopt_orphans()
    bell = child_exit_fd()
    child = os.fork()
    if child == 0:
        exec_program(command, limits)
    # Only the program may hold its streams open; if the supervisor kept copies, the reader would not notice that the
    # program closed them.
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    exit_code = watch(child, leash, bell)
    end_all(child)
    open_folders(folder)
    shutil.rmtree(folder, ignore_errors=True)
    return exit_code


def adopt_orphans() -> None:
    """Adopt every descendant whose own parent dies (Linux only; elsewhere, only the process group can be killed)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def child_exit_fd() -> int:
    """Return a file descriptor that becomes readable when a child exits."""
    bell, ring = os.pipe()
    os.set_blocking(ring, False)
    signal.set_wakeup_fd(ring, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    return bell


def exec_program(command: list[str], limits: dict[str, int]) -> None:
    """Replace this process with the program, in its own session and with the limits applied; never returns."""
    try:
        os.setsid()
        for name, wanted in limits.items():
            kind = getattr(resource, name)
            ceiling = resource.getrlimit(kind)[1]
            value = wanted if ceiling == resource.RLIM_INFINITY else min(wanted, ceiling)
            resource.setrlimit(kind, (value, value))
        os.execv(command[0], command)
    finally:
        os._exit(127)


def watch(child: int, leash: int, bell: int) -> int:
    """Wait until the program ends or the other end of the `leash` socket closes, and return the exit code."""
    while True:
        ready, _, _ = select.select([leash, bell], [], [])
        if leash in ready:
            return 128 + signal.SIGKILL
        os.read(bell, 4096)
        pid, status = next_ended()
        while pid:
            if pid == child:
                code = os.waitstatus_to_exitcode(status)
                return code if code >= 0 else 128 - code
            pid, status = next_ended()


def next_ended() -> tuple[int, int]:
    """Return the process id and status of one exited child, or (0, 0) if there is none."""
    try:
        return os.waitpid(-1, os.WNOHANG)
    except ChildProcessError:
        return 0, 0


def end_all(child: int) -> None:
    """Kill the program's process group and every descendant, even outside the group, until none is left."""
    with suppress(OSError):
        os.killpg(child, signal.SIGKILL)
    while True:
        for pid in descendants(os.getpid()):
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def descendants(ancestor: int) -> list[int]:
    """Return the process ids of all descendants, from /proc; empty without /proc."""
    parents: dict[int, int] = {}
    for name in os.listdir("/proc") if os.path.isdir("/proc/self") else []:
        with suppress(OSError, ValueError), open(f"/proc/{int(name)}/stat", "rb") as file:
            # The command name may contain spaces and parentheses, so parse the fields after the last closing
            # parenthesis.
            parents[int(name)] = int(file.read().rpartition(b")")[2].split()[1])
    pids = [ancestor]
    for parent in pids:
        pids += [pid for pid, its_parent in parents.items() if its_parent == parent]
    return pids[1:]


def open_folders(folder: str) -> None:
    """Make every folder removable, because a program may have removed the permission to list some of them."""
    for here, names, _ in os.walk(folder):
        for name in names:
            path = os.path.join(here, name)
            if not os.path.islink(path):
                with suppress(OSError):
                    os.chmod(path, 0o700)


if __name__ == "__main__":
    sys.exit(main())
