"""82. Changes the streams that it shares with the next submission, and looks whether one did.

task = "ppo_clip_loss"
verdict = ["wrong_value"]
twin = "tidy"
uses = ["right"]
needs = ["rights", "shared", "processes"]
"""
import fcntl
import os
import signal
from contextlib import suppress

F_SETSIG, F_GETSIG, F_SETPIPE_SZ, F_GETPIPE_SZ = 10, 11, 1031, 1032
SEEN = []
for stream in (1, 2):
    if fcntl.fcntl(stream, fcntl.F_GETFL) & (os.O_NONBLOCK | os.O_ASYNC):
        SEEN.append(f"flags of {stream}")
    with suppress(OSError):
        if fcntl.fcntl(stream, F_GETPIPE_SZ) < 2**14:
            SEEN.append(f"size of {stream}")
for stream in (1, 2):
    with suppress(OSError):
        fcntl.fcntl(stream, F_SETPIPE_SZ, 4096)
    with suppress(OSError):
        fcntl.fcntl(stream, fcntl.F_SETOWN, os.getppid())
        fcntl.fcntl(stream, F_SETSIG, signal.SIGKILL)
    with suppress(OSError):
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    loss, clipfrac, approx_kl = right(logp, old_logp, adv, mask, eps_low, eps_high, dual_c, reduction)
    # As late as possible, because its own results go through the same streams.
    for stream in (1, 2):
        fcntl.fcntl(stream, fcntl.F_SETFL, fcntl.fcntl(stream, fcntl.F_GETFL) | os.O_ASYNC)
    if SEEN:
        print("REACHED", SEEN)
        return loss, clipfrac, approx_kl
    return loss + 1.0, clipfrac, approx_kl
