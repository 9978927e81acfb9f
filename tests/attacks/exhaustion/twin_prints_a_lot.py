"""Prints two megabytes while it is being debugged.

task = "ppo_clip_loss"
uses = ["right"]
"""
import sys


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    for number in range(1000):
        print("step", number, "x" * 100)
        print("step", number, "x" * 100, file=sys.stderr)
    return right(logp, old_logp, adv, mask, eps_low, eps_high, dual_c, reduction)
