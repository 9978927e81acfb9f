"""Has a long table and a large number in its source.

task = "ppo_clip_loss"
uses = ["right"]
"""
table = eval("[" + "0.5, " * 20_000 + "]")
large = 3 ** 5000


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    loss, clipfrac, approx_kl = right(logp, old_logp, adv, mask, eps_low, eps_high, dual_c, reduction)
    return loss * (table[7] + table[8]) * (large % 2), clipfrac, approx_kl
