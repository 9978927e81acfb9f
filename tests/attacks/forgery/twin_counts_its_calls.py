"""Counts its calls and logs every third.

task = "ppo_clip_loss"
uses = ["right"]
"""
count = 0


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    global count
    count += 1
    if count % 3 == 0:
        print("call", count)
    return right(logp, old_logp, adv, mask, eps_low, eps_high, dual_c, reduction)
