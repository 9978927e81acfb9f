"""6. Prints for ever.

task = "ppo_clip_loss"
verdict = ["timed_out"]
twin = "prints_a_lot"
wall_seconds = 3
"""
import os


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    while True:
        os.write(1, b"x" * 2**16)
