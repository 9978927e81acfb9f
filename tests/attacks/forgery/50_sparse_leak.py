"""50. Lets a gradient reach a constant in a layout that a careless check does not look into.

task = "ppo_clip_loss"
verdict = ["wrong_gradient"]
twin = "own_autograd"
uses = ["right"]
"""
import torch


class Leak(torch.autograd.Function):
    @staticmethod
    def forward(ctx, loss, constant):
        ctx.constant = constant.shape
        return loss.clone()

    @staticmethod
    def backward(ctx, slope):
        return slope, torch.ones(ctx.constant).to_sparse()


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    loss, clipfrac, approx_kl = right(logp, old_logp, adv, mask, eps_low, eps_high, dual_c, reduction)
    return Leak.apply(loss, adv), clipfrac, approx_kl
