"""50. Returns the right loss with a backward of its own that gives something else.

task = "ppo_clip_loss"
verdict = ["wrong_gradient"]
twin = "own_autograd"
uses = ["right"]
"""
import torch


class Sly(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, loss):
        ctx.save_for_backward(x)
        return loss.clone()

    @staticmethod
    def backward(ctx, slope):
        return ctx.saved_tensors[0] * 0.0 + slope, None


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    loss, clipfrac, approx_kl = right(logp, old_logp, adv, mask, eps_low, eps_high, dual_c, reduction)
    return Sly.apply(logp, loss.detach()), clipfrac, approx_kl
