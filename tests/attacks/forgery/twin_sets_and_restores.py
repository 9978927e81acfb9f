"""Computes in float64 by default and without gradients for a while, and restores both.

task = "ppo_clip_loss"
uses = ["right"]
"""
import torch

torch.manual_seed(7)


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    try:
        with torch.no_grad():
            torch.rand(3)
    finally:
        torch.set_default_dtype(before)
    return right(logp, old_logp, adv, mask, eps_low, eps_high, dual_c, reduction)
