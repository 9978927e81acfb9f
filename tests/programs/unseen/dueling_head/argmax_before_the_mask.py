# expect: wrong
# mistake: The argmax is taken before the illegal actions become -inf, over values where their advantage is 0, so an illegal action can win (best is then -inf); it shows where there is an illegal action and all legal advantages are negative, or the largest is 0 and an illegal action comes earlier.
import torch


def dueling_head(v, adv, legal) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    a = torch.where(legal, adv, torch.zeros_like(adv))
    n_legal = legal.sum(dim=1, keepdim=True).clamp(min=1)
    values = v + (a - a.sum(dim=1, keepdim=True) / n_legal)
    q = values.masked_fill(~legal, float("-inf"))
    has_action = legal.any(dim=1)
    index = values.detach().argmax(dim=1)
    action = torch.where(has_action, index, -1)
    best = q.detach().gather(1, index.unsqueeze(1)).squeeze(1)
    best = torch.where(has_action, best, torch.zeros_like(best))
    return q, action, best
