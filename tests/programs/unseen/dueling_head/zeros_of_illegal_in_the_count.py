# expect: wrong
# mistake: The mean of the advantages divides the sum over the legal actions by the number of all actions instead of the number of legal ones; it shows in q and best in states with both legal and illegal actions whose legal advantages do not sum to 0, and in the gradient of adv in any state with both.
import torch


def dueling_head(v, adv, legal) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    a = adv.masked_fill(~legal, 0.0)
    q = v + a - a.mean(dim=1, keepdim=True)
    q = q.masked_fill(~legal, float("-inf"))
    with torch.no_grad():
        has_action = legal.any(dim=1)
        best, action = q.max(dim=1)
        action = action.masked_fill(~has_action, -1)
        best = best.masked_fill(~has_action, 0.0)
    return q, action, best
