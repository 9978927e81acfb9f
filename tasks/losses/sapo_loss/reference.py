"""At a ratio of 1, the gate's slope is 1 for every temperature, so the first step is the same as in PPO."""

import torch


def sapo_loss(logp, old_logp, adv, mask, tau_pos=1.0, tau_neg=1.05):
    """Return the loss with a sigmoid gate on each token's ratio, a 0-dim tensor; every row with tokens counts the same.

    Shapes: logp, old_logp, adv [B, T]; mask [B, T] bool.
    Source: arXiv:2511.20347.
    """
    # torch.where instead of `* mask`, because 0 * NaN is NaN, in the value and in the gradient.
    ratio = torch.where(mask, logp - old_logp.detach(), 0.0).exp()
    advantages = torch.where(mask, adv.detach(), 0.0)
    tau = torch.where(advantages > 0, tau_pos, tau_neg).to(logp.dtype)
    gate = 4 / tau * torch.sigmoid(tau * (ratio - 1))
    counts = mask.sum(dim=1)
    row_means = -(gate * advantages).sum(dim=1) / counts.clamp(min=1)
    return row_means.sum() / (counts > 0).sum().clamp(min=1)
