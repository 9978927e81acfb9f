# expect: wrong
# mistake: The temperature is chosen by the sign of the mean advantage of the unmasked tokens of a row, instead of by the sign of the advantage of each token.
import torch


def sapo_loss(logp, old_logp, adv, mask, tau_pos=1.0, tau_neg=1.05) -> torch.Tensor:
    row_losses = []
    for lp, old, a, m in zip(logp, old_logp.detach(), adv.detach(), mask):
        if not m.any():
            continue
        lp, old, a = lp[m], old[m], a[m]
        tau = tau_pos if a.mean() > 0 else tau_neg
        ratio = torch.exp(lp - old)
        gate = 4.0 / tau * torch.sigmoid(tau * (ratio - 1.0))
        row_losses.append(-(gate * a).mean())
    if not row_losses:
        return torch.where(mask, logp, torch.zeros_like(logp)).sum()
    return torch.stack(row_losses).mean()
