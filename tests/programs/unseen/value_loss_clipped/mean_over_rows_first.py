# expect: wrong
# mistake: The errors are averaged within each row and then over the rows that have unmasked entries, instead of over all unmasked entries of the batch at once.
import torch


def value_loss_clipped(v, v_old, returns, mask, eps=0.2):
    def safe(t):
        return t.masked_fill(~mask, 0.0)

    value, old, target = safe(v), safe(v_old.detach()), safe(returns.detach())
    clipped = old + (value - old).clamp(-eps, eps)
    err = torch.maximum((value - target).pow(2), (clipped - target).pow(2))
    m = mask.to(v.dtype)
    n = m.sum(-1)
    per_row = (err * m).sum(-1) / n.clamp(min=1)
    return 0.5 * per_row.sum() / (n > 0).sum().clamp(min=1)
