# expect: right
import torch


def reinforce_loss(logp, adv, mask, reduction) -> torch.Tensor:
    adv = adv.detach()
    terms, lengths = [], []
    for row, row_adv, row_mask in zip(logp, adv, mask):
        length = int(row_mask.sum())
        if length == 0:
            continue
        weights = row_adv[row_mask] if row_adv.dim() else row_adv
        terms.append(-(row[row_mask] * weights.to(logp.dtype)).sum())
        lengths.append(length)
    if not terms:
        return logp[mask].sum()
    if reduction == "token":
        return torch.stack(terms).sum() / sum(lengths)
    if reduction == "seq":
        terms = [term / length for term, length in zip(terms, lengths)]
    return torch.stack(terms).mean()
