# expect: wrong
# mistake: The loss is the mean over all unmasked tokens of the batch, instead of the mean of the row means.
import torch


def sapo_loss(logp, old_logp, adv, mask, tau_pos=1.0, tau_neg=1.05) -> torch.Tensor:
    logp, old_logp, adv = logp[mask], old_logp[mask].detach(), adv[mask].detach()
    ratio = torch.exp(logp - old_logp)
    tau = torch.where(adv > 0, torch.full_like(adv, tau_pos), torch.full_like(adv, tau_neg))
    gate = torch.sigmoid(tau * (ratio - 1)) * (4 / tau)
    return -(gate * adv).sum() / max(adv.numel(), 1)
