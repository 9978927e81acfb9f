"""Forks one child per job from a prepared interpreter, and cleans up completely after each child before the next job.

This source text runs in the shared container, so it uses only the standard library. It runs as root, with the
capabilities to change users and to kill processes. The parent never runs submitted code and never reads a payload,
because its memory is copied to every later child. The child for the next job is forked before that job's token is
known, so no child can know its own token.

The parent writes READY to standard output once. Each job on standard input is a token of TOKEN_BYTES, the payload's
size as `<Q`, and the payload; then a single byte stops the job. When all traces of the job are gone, the parent writes
the job's token and REPORT_END to standard error, and the token alone to standard output. If a child exits on its own,
the parent immediately reports the exit on standard error, but still waits for the single byte.

Some jobs need further interpreters with their own hash seeds. The parent starts these interpreters before the
preparation, which they also run. Each of them forks a child for a job when the parent requests one. All children of a
job run as the same user.
"""

from __future__ import annotations

import ctypes
import fcntl
import gc
import io
import os
import resource
import select
import shutil
import signal
import socket
import stat
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

READY = b"ready"
TOKEN_BYTES = 16
SIZE = struct.Struct("<Q")
# The exit code (or STOPPED or UNREADY), and whether the job left nothing behind.
REPORT_END = struct.Struct("<i?")
STOPPED, UNREADY = -1, -2
PR_SET_DUMPABLE, PR_SET_CHILD_SUBREAPER = 4, 36
F_GETOWN, F_GETSIG, F_GETPIPE_SZ = 9, 11, 1032
# Folders in which a child may leave files; each folder is a separate file system in the container.
PLACES = ("/tmp", "/dev/shm", "/dev/mqueue")
SOCKETS_SECONDS = 0.2
# At most this many ports may still be occupied by closed connections. By default, the kernel has 28,000 ports for
# connections; a job with several ranks uses up to about a hundred of them.
CLOSED_CONNECTIONS_MAX = 10_000
# How long to wait for killed processes to disappear.
GONE_SECONDS = 2.0
# Every child uses the same path, so that messages that quote the path do not depend on job order.
FOLDER = "/tmp/job"
# The real and saved user id of the process that kills a job's processes; no job runs as this user.
SWEEPER = 19_999
# The environment variable with the descriptor on which an interpreter receives orders.
ORDERS = "INTERPRETER_ORDERS"
USER = struct.Struct("<I")
END, ENDED, IS_READY = b"e", b"d", b"r"
Restrict = Callable[[], bytes]


def start_interpreters(count: int) -> tuple[socket.socket | None, list[socket.socket]]:
    """Start an interpreter for each hash seed from 1 to `count`, with this same program; return None and their sockets.

    In such an interpreter, start nothing; return the socket on which it receives orders, and an empty list.
    """
    if descriptor := os.environ.pop(ORDERS, ""):
        return socket.socket(fileno=int(descriptor)), []
    interpreters = []
    for seed in range(1, count + 1):
        ours, theirs = socket.socketpair()
        kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        with theirs:
            subprocess.Popen(
                # -I would make Python ignore PYTHONHASHSEED. Apart from that, these options have the same effect.
                [sys.executable, "-s", "-P", "-u", "-c", sys.orig_argv[-1]],
                env={**kept, "PYTHONHASHSEED": str(seed), ORDERS: str(theirs.fileno())},
                stdin=subprocess.DEVNULL,
                stdout=2,
                pass_fds=[theirs.fileno()],
            )
        interpreters.append(ours)
    return None, interpreters


def serve_as_interpreter(orders: socket.socket, processes: int, restrict: Restrict) -> socket.socket:
    """Fork a child whenever the parent requests one.

    Return only in a child, with the socket that connects it to the parent's child for the same job.
    """
    protect()
    orders.sendall(IS_READY)
    while True:
        order, fds, _, _ = socket.recv_fds(orders, USER.size, 1)
        if not order:
            os._exit(0)
        child = os.fork()
        if child == 0:
            # Submissions can change the settings of an open file, so no two of them may share one.
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            (user,) = USER.unpack(order)
            become_child(user, processes, restrict, has_ranks=True)
            close_all_but(*fds)
            return socket.socket(fileno=fds[0])
        os.close(fds[0])
        if orders.recv(1) != END:
            os._exit(0)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        orders.sendall(ENDED)


def serve(
    first_user: int,
    jobs: int,
    processes: int,
    restrict: Restrict,
    has_ranks: bool,
    interpreters: Sequence[socket.socket] = (),
) -> list[socket.socket]:
    """Serve jobs, each with its own user id; returns only in a child, with the payload on `sys.stdin`.

    `processes` is the maximum number of processes per child. `restrict` is called in each child; it must prevent the
    child from changing its user, and returns a report for the log. If `has_ranks`, a child starts ranks, which connect
    over TCP and must not be able to read the child's memory or descriptors. Each of the `interpreters` also forks a
    child for each job; the returned sockets are connected to these children.
    """
    bell = prepare_parent()
    for interpreter in interpreters:
        if interpreter.recv(1) != IS_READY:
            sys.exit("an interpreter with its own hash seed exited before it was ready")
    before, others = shared_state(), other_processes()
    os.write(1, READY)
    for user in range(first_user, first_user + jobs):
        make_folder(user)
        controls = [fork_from(interpreter, user) for interpreter in interpreters]
        go_read, go = os.pipe()
        taken, taken_write = os.pipe()
        leader = os.fork()
        if leader == 0:
            report = become_child(user, processes, restrict, has_ranks)
            take_payload(go_read, taken_write, *(control.fileno() for control in controls))
            os.write(2, report)
            return controls
        for control in controls:
            control.close()
        os.close(go_read)
        os.close(taken_write)
        token = read_exactly(0, TOKEN_BYTES)
        if len(token) < TOKEN_BYTES:
            break
        with suppress(OSError):
            os.write(go, b"g")
        is_taken = os.read(taken, 1) == b"t"
        os.close(go)
        os.close(taken)
        code = wait_for_end(leader, bell) if is_taken else UNREADY
        if interpreters:
            kill_user(user)
            end_children(interpreters)
            reap(others)
        else:
            kill_all()
        is_clean = is_taken and remove_folder(user) and shared_state() == before
        if has_ranks:  # other children cannot open a socket
            is_clean = is_clean and sockets_are_gone()
        os.write(2, token + REPORT_END.pack(code, is_clean))
        if code != STOPPED and not read_exactly(0, 1):
            break
        os.write(1, token)
        if not is_clean:
            break
    kill_all()
    os._exit(0)


def prepare_parent() -> int:
    """Protect this process, adopt orphans, and return a file descriptor that becomes readable when a child exits."""
    protect()
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    bell, ring = os.pipe()
    os.set_blocking(ring, False)
    signal.set_wakeup_fd(ring, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    return bell


def protect() -> None:
    """Prepare this process to fork children: keep them from reading its memory and descriptors, and freeze its heap.

    Exit if there is a second thread.
    """
    if len(os.listdir("/proc/self/task")) > 1:
        sys.exit("the preparation left a thread running; a forked child would not inherit it")
    ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
    # A frozen heap is not touched by a child's garbage collector, so its pages stay shared.
    gc.collect()
    gc.freeze()


def make_folder(user: int) -> None:
    """Create the child's temp folder.

    The folder belongs to root, so that the parent can list and remove it, and to the child's group, so that the child
    can write to it.
    """
    os.umask(0)
    os.setresgid(-1, user, -1)
    os.mkdir(FOLDER, 0o770)
    os.setresgid(-1, 0, -1)
    os.umask(0o22)


def become_child(user: int, processes: int, restrict: Restrict, has_ranks: bool) -> bytes:
    """Drop all of the parent's privileges, and return the report; exit if any of them remains."""
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.setsid()
        libc = ctypes.CDLL(None)
        # If memory runs out, the kernel must kill a child, not the parent. A process may always raise its own OOM
        # score.
        libc.prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)
        with open("/proc/self/oom_score_adj", "w", encoding="ascii") as score:
            score.write("1000")
        resource.setrlimit(resource.RLIMIT_NPROC, (processes, processes))
        change_user(user)
        # Changing the user made the process's own /proc files unreadable. Programs need to read them, but ranks must
        # not read those of the child that started them.
        if not has_ranks:
            libc.prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)
        os.environ["HOME"] = os.environ["TMPDIR"] = FOLDER
        tempfile.tempdir = None  # clear the cache: the preparation may have looked up the temp folder
        os.chdir(FOLDER)
        report = restrict()
        with suppress(PermissionError):
            os.setresuid(user, user, user)
            sys.exit("the child could still change its user, so the filter is not active")
    except BaseException as error:
        os.write(2, f"the child could not drop its privileges: {error}\n".encode())
        os._exit(1)
    return report


def change_user(user: int) -> None:
    """Switch to this user permanently; the kernel then drops all capabilities."""
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)


def take_payload(go: int, taken: int, *kept: int) -> None:
    """Wait for the parent, read the payload, and replace the child's stdin, so no program reads the parent's stdin.

    Then close all descriptors except the standard streams and those in `kept`.
    """
    os.read(go, 1)
    head = read_exactly(0, SIZE.size)
    payload = read_exactly(0, SIZE.unpack(head)[0]) if len(head) == SIZE.size else b""
    nowhere = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nowhere, 0)
    os.write(taken, b"t")
    close_all_but(*kept)
    sys.stdin = io.TextIOWrapper(io.BytesIO(payload))


def close_all_but(*kept: int) -> None:
    """Close all descriptors except the standard streams and those in `kept`."""
    first = 3
    for descriptor in (*sorted(kept), os.sysconf("SC_OPEN_MAX")):
        os.closerange(first, descriptor)
        first = descriptor + 1


def wait_for_end(leader: int, bell: int) -> int:
    """Wait for the child to exit, or for a byte on standard input; return its exit code, 128 + signal, or STOPPED."""
    while True:
        ready = select.select([0, bell], [], [])[0]
        if bell in ready:
            os.read(bell, 4096)
        while True:
            pid, status = next_ended()
            if pid == leader:
                code = os.waitstatus_to_exitcode(status)
                return code if code >= 0 else 128 - code
            if not pid:
                break
        if 0 in ready:
            # If standard input has ended, the job is stopped as well, and the parent exits at its next read.
            os.read(0, 1)
            return STOPPED


def next_ended() -> tuple[int, int]:
    """Return the process id and status of one exited child, or (0, 0) if there is none."""
    try:
        return os.waitpid(-1, os.WNOHANG)
    except ChildProcessError:
        return 0, 0


def fork_from(interpreter: socket.socket, user: int) -> socket.socket:
    """Have the interpreter fork a child that runs as this user, and return a socket that is connected to the child."""
    ours, theirs = socket.socketpair()
    with theirs:
        socket.send_fds(interpreter, [USER.pack(user)], [theirs.fileno()])
    return ours


def kill_user(user: int) -> None:
    """Kill all processes of this user in one call, so that none can fork in between.

    A sweeper process kills them: its effective user id is theirs. They cannot kill the sweeper first, because its real
    and saved user ids are different.
    """
    sweeper = os.fork()
    if sweeper == 0:
        with suppress(BaseException):
            os.setresuid(SWEEPER, user, SWEEPER)
            os.kill(-1, signal.SIGKILL)
        os._exit(0)
    os.waitpid(sweeper, 0)


def end_children(interpreters: Sequence[socket.socket]) -> None:
    """Have each interpreter kill and reap its child.

    If an interpreter does not answer, `shared_state` shows the child that has not been reaped.
    """
    for interpreter in interpreters:
        interpreter.settimeout(GONE_SECONDS)
        with suppress(OSError):
            interpreter.sendall(END)
            interpreter.recv(1)


def reap(others: list[str]) -> None:
    """Reap killed processes until no process is left except these `others`, for at most GONE_SECONDS."""
    until = time.monotonic() + GONE_SECONDS
    while other_processes() != others and time.monotonic() < until:
        while next_ended()[0]:
            pass
        time.sleep(0.001)


def kill_all() -> None:
    """Kill all other processes in the container in one call, so that none can fork in between, and then reap them."""
    with suppress(ProcessLookupError):
        os.kill(-1, signal.SIGKILL)
    with suppress(ChildProcessError):
        while True:
            os.waitpid(-1, 0)


def remove_folder(user: int) -> bool:
    """Remove the child's folder, and return whether it is gone.

    The parent cannot open folders that the child created, so a process that runs as the child's user removes them.
    """
    with suppress(OSError):
        os.rmdir(FOLDER)
        return True
    sweeper = os.fork()
    if sweeper == 0:
        with suppress(BaseException):
            change_user(user)
            empty(FOLDER)
        os._exit(0)
    os.waitpid(sweeper, 0)
    with suppress(OSError):
        os.rmdir(FOLDER)
        return True
    return False


def empty(folder: str) -> None:
    """Remove everything in a folder, including folders without read permission."""
    for here, names, _ in os.walk(folder):
        for name in names:
            path = os.path.join(here, name)
            if not os.path.islink(path):
                with suppress(OSError):
                    os.chmod(path, 0o700)
    for entry in list(os.scandir(folder)):
        if entry.is_dir(follow_symlinks=False):
            shutil.rmtree(entry.path, ignore_errors=True)
        else:
            os.unlink(entry.path)


def shared_state() -> tuple[list[str], list[list[int]]]:
    """Return the files, processes and stream settings that a child could leave behind for later children."""
    return leftovers(), pipe_settings()


def leftovers() -> list[str]:
    """Return every file in the shared folders, and every process except process 1 and this process."""
    files = [os.path.join(place, name) for place in PLACES if os.path.isdir(place) for name in os.listdir(place)]
    return sorted(files) + other_processes()


def other_processes() -> list[str]:
    """Return the ids of all processes except process 1 and this process."""
    return sorted(name for name in os.listdir("/proc") if name.isdigit() and int(name) not in (1, os.getpid()))


def sockets_are_gone() -> bool:
    """Return whether no TCP socket is left, and few closed connections still occupy a port of the container.

    The kernel remembers a closed connection for a minute, so a job could use up the ports that the next jobs need. On a
    busy machine, it may take a moment to close the sockets of dead processes.
    """
    until = time.monotonic() + SOCKETS_SECONDS
    while (counts := socket_counts())["inuse"] and time.monotonic() < until:
        time.sleep(0.005)
    return counts["inuse"] == 0 and counts["tw"] <= CLOSED_CONNECTIONS_MAX


def socket_counts() -> dict[str, int]:
    """Return the numbers of TCP sockets ("inuse") and of remembered connections ("tw") in the container's network."""
    with open("/proc/net/sockstat", encoding="ascii") as file:
        lines = file.readlines()
    # A kernel without IPv6 lacks this file.
    with suppress(FileNotFoundError), open("/proc/net/sockstat6", encoding="ascii") as file:
        lines += file.readlines()
    counts = {"inuse": 0, "tw": 0}
    for name, *pairs in map(str.split, lines):
        if name in ("TCP:", "TCP6:"):
            for key, count in zip(pairs[::2], pairs[1::2], strict=True):
                counts[key] = counts.get(key, 0) + int(count)
    return counts


def pipe_settings() -> list[list[int]]:
    """Return the standard-stream settings through which a child could affect later children."""
    settings = []
    for stream in (0, 1, 2):
        asked = [fcntl.F_GETFL, F_GETOWN, F_GETSIG]
        asked += [F_GETPIPE_SZ] if stat.S_ISFIFO(os.fstat(stream).st_mode) else []
        settings.append([fcntl.fcntl(stream, setting) for setting in asked])
    return settings


def read_exactly(source: int, size: int) -> bytes:
    """Read `size` bytes, or fewer if the input ends."""
    data = bytearray()
    while len(data) < size and (chunk := os.read(source, min(size - len(data), 2**20))):
        data += chunk
    return bytes(data)
