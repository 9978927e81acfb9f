"""44. Returns plain numbers where tensors are due.

task = "ppo_clip_loss"
verdict = ["wrong_dtype"]
twin = "returns_a_named_tuple"
uses = ["right"]
"""

def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    return tuple(value.item() for value in right(logp, old_logp, adv, mask, eps_low, eps_high, dual_c, reduction))
