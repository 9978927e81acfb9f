"""7. Reads from a pipe that nobody writes to.

task = "ppo_clip_loss"
verdict = ["timed_out"]
twin = "sleeps_a_little"
wall_seconds = 3
"""
import os


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    os.read(os.pipe()[0], 1)
