"""Waits for a hundredth of a second, as one who polls would.

task = "ppo_clip_loss"
uses = ["right"]
"""
import time


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    time.sleep(0.01)
    return right(logp, old_logp, adv, mask, eps_low, eps_high, dual_c, reduction)
