import torch
from torch.nn import functional as F


class Weighted(torch.autograd.Function):
    """Multiply log-probabilities by factors that are constants."""

    @staticmethod
    def forward(ctx, logp, factor):
        ctx.save_for_backward(factor)
        return logp * factor

    @staticmethod
    def backward(ctx, slope):
        return slope * ctx.saved_tensors[0], None


def cispo_loss(logp, old_logp, adv, mask, eps_high=0.2, eps_low=None):
    new = torch.masked_select(logp, mask)
    with torch.no_grad():
        ratio = torch.exp(new - torch.masked_select(old_logp, mask))
        weight = F.hardtanh(ratio, -1.0 if eps_low is None else 1 - eps_low, 1 + eps_high)
        factor = weight * torch.masked_select(adv, mask)
    return Weighted.apply(new, -factor).sum() / mask.count_nonzero().clamp(min=1)
