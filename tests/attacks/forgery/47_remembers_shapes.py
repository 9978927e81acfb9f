"""47. Computes once for each shape and then returns what it remembers.

task = "ppo_clip_loss"
verdict = ["wrong_value", "wrong_gradient", "raised"]
twin = "remembers_contents"
uses = ["right"]
"""
memory = {}


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    key = (logp.shape, dual_c, reduction)
    if key not in memory:
        memory[key] = right(logp, old_logp, adv, mask, eps_low, eps_high, dual_c, reduction)
    return memory[key]
