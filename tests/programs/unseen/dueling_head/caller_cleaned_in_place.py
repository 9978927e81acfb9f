# expect: wrong
# mistake: The function overwrites the caller's adv with 0 at the illegal actions in place; all outputs and gradients are right, and it shows in adv after the call whenever an illegal entry was not 0 (and as a RuntimeError where adv is an expanded view).
import torch


def dueling_head(v, adv, legal) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    with torch.no_grad():
        # remove NaN and infinity at the illegal actions
        adv.masked_fill_(~legal, 0.0)
    a = torch.where(legal, adv, torch.zeros_like(adv))
    n_legal = legal.sum(dim=1, keepdim=True).clamp(min=1)
    q = (v + (a - a.sum(dim=1, keepdim=True) / n_legal)).masked_fill(~legal, float("-inf"))
    has_action = legal.any(dim=1)
    best, action = q.detach().max(dim=1)
    action = action.masked_fill(~has_action, -1)
    best = best.masked_fill(~has_action, 0.0)
    return q, action, best
