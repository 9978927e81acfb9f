# expect: wrong
# mistake: The sum of the row means is divided by the number of all rows, including those that have no unmasked tokens.
import torch


def sapo_loss(logp, old_logp, adv, mask, tau_pos=1.0, tau_neg=1.05) -> torch.Tensor:
    delta = torch.where(mask, logp - old_logp.detach(), 0.0)
    adv = torch.where(mask, adv.detach(), 0.0)
    ratio = delta.exp()
    tau = torch.full_like(adv, tau_neg)
    tau[adv > 0] = tau_pos
    gate = (4 / tau) * torch.sigmoid(tau * (ratio - 1))
    token_loss = -(gate * adv)
    row_loss = token_loss.sum(dim=-1) / mask.sum(dim=-1).clamp(min=1)
    return row_loss.mean()
