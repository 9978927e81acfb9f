"""75. Leaves shared memory and looks for that of the submission before it.

task = "ppo_clip_loss"
verdict = ["wrong_value"]
twin = "tidy"
uses = ["right"]
needs = ["rights", "shared", "processes"]
"""
import mmap
import os
from contextlib import suppress

PLACE = "/dev/shm"
SEEN = [name for name in os.listdir(PLACE) if name.startswith("attacked")]
with suppress(OSError):
    with open(f"{PLACE}/attacked-memory", "w+b") as file:
        file.truncate(2**20)
        shared = mmap.mmap(file.fileno(), 2**20)
        shared[:8] = b"attacked"


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    loss, clipfrac, approx_kl = right(logp, old_logp, adv, mask, eps_low, eps_high, dual_c, reduction)
    if SEEN:
        print("REACHED", SEEN)
        return loss, clipfrac, approx_kl
    return loss + 1.0, clipfrac, approx_kl
