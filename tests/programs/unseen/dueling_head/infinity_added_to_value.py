# expect: wrong
# mistake: The -inf of an illegal action is added to a live value, so gradient flows through it into v and, through the mean, into the legal advantages; all outputs are right, and it shows only when the upstream gradient is nonzero at an illegal entry of q (also in a state with no legal action, there in v alone).
import torch


def dueling_head(v, adv, legal) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    a = torch.where(legal, adv, torch.zeros_like(adv))
    n_legal = legal.sum(dim=1, keepdim=True).clamp(min=1)
    mean = a.sum(dim=1, keepdim=True) / n_legal
    penalty = torch.zeros_like(adv).masked_fill(~legal, float("-inf"))
    q = v + (a - mean) + penalty
    has_action = legal.any(dim=1)
    best, action = q.detach().max(dim=1)
    action = action.masked_fill(~has_action, -1)
    best = best.masked_fill(~has_action, 0.0)
    return q, action, best
