# expect: wrong
# mistake: the mean of the advantages over the unmasked tokens is subtracted as a baseline
import torch


def reinforce_loss(logp, adv, mask, reduction) -> torch.Tensor:
    adv = adv.detach()
    if adv.dim() == 1:
        adv = adv[:, None].expand_as(logp)
    rows, _ = mask.nonzero(as_tuple=True)
    picked, weight = logp[mask], adv[mask]
    if weight.numel() == 0:
        return picked.sum()
    weight = weight - weight.mean()
    per_token = -picked * weight
    if reduction == "token":
        return per_token.mean()
    per_row = torch.zeros(mask.shape[0], dtype=logp.dtype, device=logp.device).index_add(0, rows, per_token)
    lengths = mask.sum(1)
    if reduction == "seq":
        per_row = per_row / lengths.clamp(min=1)
    return per_row[lengths > 0].mean()
