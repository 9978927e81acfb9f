# expect: wrong
# mistake: The gate is the sigmoid of the temperature times the logarithm of the ratio, instead of the temperature times the ratio minus 1.
import torch


def gate(log_ratio, tau):
    return torch.sigmoid(tau * log_ratio) * 4 / tau


def sapo_loss(logp, old_logp, adv, mask, tau_pos=1.0, tau_neg=1.05) -> torch.Tensor:
    zero = torch.zeros_like(logp)
    adv = torch.where(mask, adv.detach(), zero)
    log_ratio = torch.where(mask, logp - old_logp.detach(), zero)

    objective = torch.where(adv > 0, gate(log_ratio, tau_pos), gate(log_ratio, tau_neg)) * adv
    lengths = mask.sum(dim=1)
    per_row = objective.sum(dim=1) / lengths.clamp(min=1)
    non_empty = (lengths > 0).sum().clamp(min=1)
    return -(per_row.sum() / non_empty)
