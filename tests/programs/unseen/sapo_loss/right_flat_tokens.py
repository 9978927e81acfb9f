# expect: right
import torch


def sapo_loss(logp, old_logp, adv, mask, tau_pos=1.0, tau_neg=1.05) -> torch.Tensor:
    lengths = mask.sum(dim=1)
    rows = int((lengths > 0).sum())
    kept = logp[mask]
    if rows == 0:
        return kept.sum()  # An empty sum, which still depends on logp.

    a = adv.detach()[mask]
    ratio = (kept - old_logp.detach()[mask]).exp()
    tau = torch.where(a > 0, torch.full_like(a, tau_pos), torch.full_like(a, tau_neg))
    gate = 4 / tau * torch.sigmoid(tau * (ratio - 1))
    # Each token weighs one over the length of its row, and each row the same.
    weight = (1 / lengths.clamp(min=1).to(logp.dtype))[:, None].expand(mask.shape)[mask] / rows
    return -(weight * gate * a).sum()
