# expect: wrong
# mistake: masked positions are multiplied by zero, so a NaN there reaches the loss
# mistake: with "seq_sum" the sums of the rows are added up and not averaged over the rows
import torch


def reinforce_loss(logp, adv, mask, reduction) -> torch.Tensor:
    m = mask.to(logp.dtype)
    if adv.dim() == 1:
        adv = adv[:, None]
    loss = -logp * adv.detach() * m
    if reduction == "token":
        return loss.sum() / m.sum().clamp(min=1)
    if reduction == "seq":
        n = m.sum(1)
        return (loss.sum(1) / n.clamp(min=1)).sum() / (n > 0).sum().clamp(min=1)
    return loss.sum(1).sum()
