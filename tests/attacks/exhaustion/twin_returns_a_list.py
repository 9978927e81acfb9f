"""Returns a list where a tuple was asked for.

task = "ppo_clip_loss"
uses = ["right"]
"""

def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    return list(right(logp, old_logp, adv, mask, eps_low, eps_high, dual_c, reduction))
