import torch


def dueling_head(v, adv, legal):
    masked = adv.view(-1).masked_fill(~legal.view(-1), 0.0).view(adv.shape)
    count = legal.sum(1, keepdim=True).clamp(min=1)
    mean = masked.sum(1, keepdim=True) / count
    q = (v + masked - mean).masked_fill(~legal, float("-inf"))
    best, action = q.detach().max(1)
    ended = ~legal.any(1)
    return q, action.masked_fill(ended, -1), best.masked_fill(ended, 0.0)
