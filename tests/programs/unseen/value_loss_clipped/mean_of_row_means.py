# expect: wrong
# mistake: The mean is taken over the means of the rows instead of over all unmasked entries.
import torch


def value_loss_clipped(v, v_old, returns, mask, eps=0.2) -> torch.Tensor:
    v = v.masked_fill(~mask, 0)
    v_old = v_old.detach().masked_fill(~mask, 0)
    returns = returns.detach().masked_fill(~mask, 0)

    v_clipped = torch.clamp(v, v_old - eps, v_old + eps)
    squared = torch.maximum((v - returns) ** 2, (v_clipped - returns) ** 2)
    per_row = squared.sum(dim=1) / mask.sum(dim=1).clamp(min=1)
    rows = mask.any(dim=1).sum().clamp(min=1)
    return 0.5 * per_row.sum() / rows
