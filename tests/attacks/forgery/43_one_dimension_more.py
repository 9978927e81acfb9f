"""43. Returns the right numbers with one more dimension.

task = "ppo_clip_loss"
verdict = ["wrong_shape"]
twin = "returns_a_named_tuple"
uses = ["right"]
"""

def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    return tuple(value[None] for value in right(logp, old_logp, adv, mask, eps_low, eps_high, dual_c, reduction))
