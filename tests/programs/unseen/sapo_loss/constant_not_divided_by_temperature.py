# expect: wrong
# mistake: The constant of the gate is 4 instead of 4 divided by the temperature, so that the slope at a ratio of 1 is the temperature instead of 1.
import torch


def sapo_loss(logp, old_logp, adv, mask, tau_pos=1.0, tau_neg=1.05) -> torch.Tensor:
    adv = adv.detach().masked_fill(~mask, 0.0)
    log_ratio = logp.masked_fill(~mask, 0.0) - old_logp.detach().masked_fill(~mask, 0.0)
    ratio = log_ratio.exp()
    gate_pos = 4 * torch.sigmoid(tau_pos * (ratio - 1))
    gate_neg = 4 * torch.sigmoid(tau_neg * (ratio - 1))
    per_token = -torch.where(adv > 0, gate_pos, gate_neg) * adv
    count = mask.sum(dim=1)
    row_means = per_token.sum(dim=1) / count.clamp(min=1)
    return row_means.sum() / (count > 0).sum().clamp(min=1)
