# expect: wrong
# mistake: The smaller of the two squared errors is taken instead of the larger.
import torch


def value_loss_clipped(v, v_old, returns, mask, eps=0.2) -> torch.Tensor:
    old = v_old.detach().masked_fill(~mask, 0.0)
    target = returns.detach().masked_fill(~mask, 0.0)
    value = v.masked_fill(~mask, 0.0)
    clipped = old + (value - old).clamp(-eps, eps)
    error = torch.min((value - target).pow(2), (clipped - target).pow(2))
    return 0.5 * error.sum() / mask.sum().clamp(min=1)
