"""Uses NaN for what is masked and drops it before the end.

task = "ppo_clip_loss"
uses = ["right"]
"""
import torch


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    marked = torch.where(mask, adv, float("nan"))
    return right(logp, old_logp, marked, mask, eps_low, eps_high, dual_c, reduction)
