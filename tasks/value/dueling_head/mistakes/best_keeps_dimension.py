import torch


def dueling_head(v, adv, legal):
    masked = adv.masked_fill(~legal, 0.0)
    count = legal.sum(1, keepdim=True).clamp(min=1)
    mean = masked.sum(1, keepdim=True) / count
    q = (v + masked - mean).masked_fill(~legal, float("-inf"))
    best, action = q.detach().max(1)
    ended = ~legal.any(1)
    return q, action.masked_fill(ended, -1), best.masked_fill(ended, 0.0)[:, None]
