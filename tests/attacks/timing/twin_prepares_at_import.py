"""Prepares tables while it is imported, for a tenth of a second.

task = "ppo_clip_loss"
uses = ["right"]
"""
import time

import torch

time.sleep(0.1)
table = torch.linspace(0, 1, 10_000).exp()


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    loss, clipfrac, approx_kl = right(logp, old_logp, adv, mask, eps_low, eps_high, dual_c, reduction)
    return loss * table[0], clipfrac, approx_kl
