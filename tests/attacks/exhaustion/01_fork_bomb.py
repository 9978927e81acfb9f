"""1. Forks for ever, in every process that it makes.

task = "ppo_clip_loss"
verdict = ["timed_out", "raised", "out_of_memory"]
twin = "one_child"
wall_seconds = 4
needs = ["totals"]
"""
import os
import time


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    while os.getpid() < 1000:  # ids are small in a cell of its own; elsewhere this does nothing
        try:
            os.fork()
        except OSError:
            time.sleep(0.05)
