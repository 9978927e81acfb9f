import torch
from torch.nn import functional as F


class Gate(torch.autograd.Function):
    @staticmethod
    def forward(ctx, log_ratio, tau):
        ratio = log_ratio.exp()
        sigmoid = torch.special.expit(tau * (ratio - 1))
        ctx.save_for_backward(4 * sigmoid * (1 - sigmoid) * ratio)
        return 4 * sigmoid / tau

    @staticmethod
    def backward(ctx, slope):
        (own,) = ctx.saved_tensors
        return slope * own, None


def sapo_loss(logp, old_logp, adv, mask, tau_pos=1.0, tau_neg=1.05):
    row = torch.nonzero(mask)[:, 0]
    gain = adv.detach()[mask]
    tau = torch.where(gain > 0, torch.full_like(gain, tau_pos), torch.full_like(gain, tau_neg))
    loss = -gain * Gate.apply(logp[mask] - old_logp.detach()[mask], tau)
    count = torch.zeros(mask.shape[0], dtype=logp.dtype, device=logp.device).index_add(0, row, torch.ones_like(gain))
    total = torch.zeros_like(count).index_add(0, row, loss)
    return (total / F.threshold(count, 0.5, 1.0)).sum() / max(int((count > 0).sum()), 1)
