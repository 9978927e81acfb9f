"""76. Leaves semaphores, queues and segments of System V and POSIX, and looks for those of the one before it.

task = "ppo_clip_loss"
verdict = ["wrong_value"]
twin = "tidy"
uses = ["right"]
needs = ["rights", "shared", "processes"]
"""
import ctypes
import os
from contextlib import suppress

KEY, CREATE = 0x5EC2E7, 0o1666
libc = ctypes.CDLL(None, use_errno=True)
libc.sem_open.restype = ctypes.c_void_p
SEEN = [name for name in os.listdir("/dev/shm") if name.startswith("sem.attacked")]
for name, found in (
    ("segment", libc.shmget(KEY, 0, 0)),
    ("semaphore", libc.semget(KEY, 0, 0)),
    ("queue", libc.msgget(KEY, 0)),
    ("POSIX queue", libc.mq_open(b"/attacked", os.O_RDWR)),
):
    if found >= 0:
        SEEN.append(name)
libc.shmget(KEY, 4096, CREATE)
libc.semget(KEY, 1, CREATE)
libc.msgget(KEY, CREATE)
libc.mq_open(b"/attacked", os.O_RDWR | os.O_CREAT, 0o666, None)
libc.sem_open(b"/attacked", os.O_CREAT, 0o666, 1)
with suppress(OSError):
    open("/dev/mqueue/attacked", "w").close()


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    loss, clipfrac, approx_kl = right(logp, old_logp, adv, mask, eps_low, eps_high, dual_c, reduction)
    if SEEN:
        print("REACHED", SEEN)
        return loss, clipfrac, approx_kl
    return loss + 1.0, clipfrac, approx_kl
