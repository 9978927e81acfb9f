# expect: wrong
# mistake: with "seq_sum" the mean goes over all rows, those without tokens included
import torch


def reinforce_loss(logp, adv, mask, reduction) -> torch.Tensor:
    adv = adv.detach()
    adv = adv if adv.dim() == 2 else adv.unsqueeze(-1)
    zero = torch.zeros((), dtype=logp.dtype, device=logp.device)
    weighted = torch.where(mask, logp, zero) * torch.where(mask, adv.to(logp.dtype), zero)
    per_row = -weighted.sum(dim=1)
    lengths = mask.sum(dim=1)
    if reduction == "token":
        return per_row.sum() / lengths.sum().clamp(min=1)
    if reduction == "seq":
        return (per_row / lengths.clamp(min=1)).sum() / (lengths > 0).sum().clamp(min=1)
    if reduction == "seq_sum":
        return per_row.mean()
    raise ValueError(reduction)
