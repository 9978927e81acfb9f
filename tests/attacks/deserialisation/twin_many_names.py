"""Keeps its outputs in a dict with more names, and returns the three.

task = "ppo_clip_loss"
uses = ["right"]
"""

def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    found = {str(number): number for number in range(1000)}
    found["loss"], found["clipfrac"], found["approx_kl"] = right(logp, old_logp, adv, mask, eps_low, eps_high, dual_c, reduction)
    return found["loss"], found["clipfrac"], found["approx_kl"]
