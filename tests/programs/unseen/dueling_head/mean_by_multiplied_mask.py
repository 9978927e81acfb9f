# expect: wrong
# mistake: The mean masks adv by multiplication, so NaN or infinity at an illegal action gives NaN * 0 = NaN; it shows in q and best of a state with a legal action and a NaN or infinite advantage at an illegal one (finite values there are harmless).
import torch


def dueling_head(v, adv, legal) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    mask = legal.to(adv.dtype)
    n_legal = mask.sum(dim=1, keepdim=True).clamp(min=1)
    mean = (adv * mask).sum(dim=1, keepdim=True) / n_legal
    q = torch.where(legal, v + adv - mean, torch.full_like(adv, float("-inf")))
    has_action = legal.any(dim=1)
    best, action = q.detach().max(dim=1)
    action = torch.where(has_action, action, -1)
    best = torch.where(has_action, best, torch.zeros_like(best))
    return q, action, best
