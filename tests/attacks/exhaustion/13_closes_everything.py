"""13. Closes every descriptor, so that it looks ended, and runs on.

task = "ppo_clip_loss"
verdict = ["timed_out"]
twin = "closes_its_own"
wall_seconds = 3
"""
import os
import time


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    os.closerange(0, 1024)
    time.sleep(60)
