"""44. Returns the right numbers in float64.

task = "ppo_clip_loss"
verdict = ["wrong_dtype"]
twin = "sets_and_restores"
uses = ["right"]
"""

def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    return tuple(value.double() for value in right(logp, old_logp, adv, mask, eps_low, eps_high, dual_c, reduction))
