"""2. Starts threads until no more can be had.

task = "ppo_clip_loss"
verdict = ["raised", "timed_out"]
twin = "a_few_threads"
wall_seconds = 6
needs = ["totals"]
"""
import threading
import time


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    for _ in range(100_000):
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
    return logp.sum(), logp.sum(), logp.sum()
