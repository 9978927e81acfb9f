"""Recurses until Python stops it, and catches that.

task = "ppo_clip_loss"
uses = ["right"]
"""

def deep():
    return deep()


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    try:
        deep()
    except RecursionError:
        return right(logp, old_logp, adv, mask, eps_low, eps_high, dual_c, reduction)
