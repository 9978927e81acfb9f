# expect: right
import torch


def dueling_head(v, adv, legal) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    # Clean the illegal entries before any arithmetic, so that NaN reaches neither a value nor a gradient.
    clean = torch.where(legal, adv, torch.zeros_like(adv))
    count = legal.sum(dim=1, keepdim=True).clamp(min=1)
    mean = clean.sum(dim=1, keepdim=True) / count
    q = (v + (clean - mean)).masked_fill(~legal, float("-inf"))

    alive = legal.any(dim=1)
    top, index = q.detach().max(dim=1)
    action = torch.where(alive, index, torch.full_like(index, -1))
    best = torch.where(alive, top, torch.zeros_like(top))
    return q, action, best
