"""43. Returns only the outputs that it is sure of.

task = "ppo_clip_loss"
verdict = ["wrong_shape"]
twin = "returns_a_named_tuple"
uses = ["right"]
"""

def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    return right(logp, old_logp, adv, mask, eps_low, eps_high, dual_c, reduction)[:1]
