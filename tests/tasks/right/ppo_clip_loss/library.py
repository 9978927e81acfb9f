import torch
from torch.nn import functional as F


class Clipped(torch.autograd.Function):
    """Loss of each token, with its derivative written by hand: it is the loss itself where no clip is active."""

    @staticmethod
    def forward(ctx, log_ratio, adv, eps_low, eps_high, dual_c):
        ratio = log_ratio.exp()
        is_out = ((adv > 0) & (ratio > 1 + eps_high)) | ((adv < 0) & (ratio < 1 - eps_low))
        loss = -adv * torch.where(is_out, ratio.clamp(1 - eps_low, 1 + eps_high), ratio)
        is_flat = is_out
        if dual_c is not None:
            is_over = (adv < 0) & (loss > -dual_c * adv)
            loss = torch.where(is_over, -dual_c * adv, loss)
            is_flat = is_out | is_over
        ctx.save_for_backward(torch.where(is_flat, torch.zeros_like(adv), -adv * ratio))
        ctx.mark_non_differentiable(is_out)
        return loss, is_out

    @staticmethod
    def backward(ctx, slope, _):
        return slope * ctx.saved_tensors[0], None, None, None, None


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    gap = logp.masked_fill(~mask, 0.0) - old_logp.detach().masked_fill(~mask, 0.0)
    losses, is_out = Clipped.apply(gap, adv.detach().masked_fill(~mask, 0.0), eps_low, eps_high, dual_c)
    share = F.normalize(mask.flatten().to(logp.dtype), p=1, dim=0).view_as(mask)
    weights = share
    if reduction == "seq":
        by_row = F.normalize(mask.to(logp.dtype), p=1, dim=1)
        weights = by_row / by_row.sum().clamp(min=1)
    kl = torch.expm1(gap.detach()) - gap.detach()
    return (losses * weights).sum(), (is_out * share).sum(), (kl * share).sum()
