"""Opens and closes descriptors of its own.

task = "ppo_clip_loss"
uses = ["right"]
"""
import os


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    for descriptor in [os.dup(2) for _ in range(50)]:
        os.close(descriptor)
    return right(logp, old_logp, adv, mask, eps_low, eps_high, dual_c, reduction)
