# expect: wrong
# mistake: The mean of the legal advantages is computed without gradient; all outputs are right, and it shows in the gradient of adv in every state whose upstream gradient does not sum to 0 over the legal actions.
import torch


def dueling_head(v, adv, legal) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    a = torch.where(legal, adv, torch.zeros_like(adv))
    with torch.no_grad():
        # the mean is only a baseline
        n_legal = legal.sum(dim=1, keepdim=True).clamp(min=1)
        baseline = a.sum(dim=1, keepdim=True) / n_legal
    q = (v + (a - baseline)).masked_fill(~legal, float("-inf"))
    has_action = legal.any(dim=1)
    best, action = q.detach().max(dim=1)
    action = action.masked_fill(~has_action, -1)
    best = best.masked_fill(~has_action, 0.0)
    return q, action, best
