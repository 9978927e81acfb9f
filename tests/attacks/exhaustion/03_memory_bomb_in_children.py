"""3. Takes memory in many children, each below the limit of one process.

task = "ppo_clip_loss"
verdict = ["out_of_memory", "raised", "timed_out"]
twin = "one_child"
wall_seconds = 6
needs = ["totals"]
"""
import os
import time


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    for _ in range(8):
        if os.fork() == 0:
            block = bytearray(b"x") * (300 * 2**20)
            time.sleep(60)
    os.wait()
    return None
