# expect: wrong
# mistake: per-token advantages are summed from the token to the end of the row, though they are ready for use
import torch


def reinforce_loss(logp, adv, mask, reduction) -> torch.Tensor:
    zeros = torch.zeros_like(logp)
    if adv.dim() == 1:
        returns = torch.where(mask, adv.detach()[:, None].expand_as(logp), zeros)
    else:
        rewards = torch.where(mask, adv.detach(), zeros)
        returns = torch.flip(torch.cumsum(torch.flip(rewards, [1]), 1), [1])
    nll = -torch.where(mask, logp, zeros) * returns
    n = mask.sum(1)
    rows = (n > 0).sum().clamp(min=1)
    if reduction == "token":
        return nll.sum() / n.sum().clamp(min=1)
    if reduction == "seq":
        return (nll.sum(1) / n.clamp(min=1)).sum() / rows
    return nll.sum() / rows
