# expect: wrong
# mistake: best of a state with no legal action is zeroed by multiplication with the mask, and -inf * 0 is NaN; it shows in best whenever a state has no legal action.
import torch


def dueling_head(v, adv, legal) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    a = torch.where(legal, adv, torch.zeros_like(adv))
    n_legal = legal.sum(dim=1, keepdim=True).clamp(min=1)
    q = (v + (a - a.sum(dim=1, keepdim=True) / n_legal)).masked_fill(~legal, float("-inf"))
    has_action = legal.any(dim=1)
    best, action = q.detach().max(dim=1)
    action = torch.where(has_action, action, -1)
    best = best * has_action
    return q, action, best
