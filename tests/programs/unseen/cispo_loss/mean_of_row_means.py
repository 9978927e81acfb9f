# expect: wrong
# mistake: the loss is the mean of the rows' means instead of the mean over all tokens of the batch
import torch


def cispo_loss(logp, old_logp, adv, mask, eps_high=0.2, eps_low=None):
    zeros = torch.zeros_like(logp)
    lp = torch.where(mask, logp, zeros)
    with torch.no_grad():
        olp = torch.where(mask, old_logp, zeros)
        a = torch.where(mask, adv, zeros)
        w = (lp - olp).exp().clamp(max=1 + eps_high)
        if eps_low is not None:
            w = w.clamp(min=1 - eps_low)
    tokens = mask.sum(dim=-1)
    per_row = -(w * a * lp).sum(dim=-1) / tokens.clamp(min=1)
    return per_row.sum() / (tokens > 0).sum().clamp(min=1)
