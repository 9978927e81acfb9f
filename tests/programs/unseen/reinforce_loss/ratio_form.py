# expect: wrong
# mistake: the log-probability is replaced by a ratio of one, which has the same gradient but another value
import torch


def reinforce_loss(logp, adv, mask, reduction) -> torch.Tensor:
    if adv.ndim == 1:
        adv = adv[:, None]
    adv = adv.detach().expand_as(logp).masked_fill(~mask, 0)
    lp = logp.masked_fill(~mask, 0)
    ratio = (lp - lp.detach()).exp()
    per_token = -(ratio * adv)
    lengths = mask.sum(-1)
    used = (lengths > 0).sum().clamp(min=1)
    if reduction == "token":
        return per_token.sum() / lengths.sum().clamp(min=1)
    per_row = per_token.sum(-1)
    if reduction == "seq":
        per_row = per_row / lengths.clamp(min=1)
    return per_row.sum() / used
