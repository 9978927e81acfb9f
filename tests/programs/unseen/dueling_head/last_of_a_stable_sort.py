# expect: wrong
# mistake: The greedy action is the last entry of an ascending stable sort, so of several equal largest values the largest index wins; it shows in action where two or more legal actions tie for the largest value.
import torch


def dueling_head(v, adv, legal) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    a = torch.where(legal, adv, torch.zeros_like(adv))
    n_legal = legal.sum(dim=1, keepdim=True).clamp(min=1)
    q = (v + (a - a.sum(dim=1, keepdim=True) / n_legal)).masked_fill(~legal, float("-inf"))
    has_action = legal.any(dim=1)
    values, order = q.detach().sort(dim=1, stable=True)
    action = order[:, -1].masked_fill(~has_action, -1)
    best = values[:, -1].masked_fill(~has_action, 0.0)
    return q, action, best
