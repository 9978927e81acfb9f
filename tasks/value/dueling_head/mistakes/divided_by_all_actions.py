import torch


def dueling_head(v, adv, legal):
    masked = adv.masked_fill(~legal, 0.0)
    mean = masked.mean(1, keepdim=True)
    q = (v + masked - mean).masked_fill(~legal, float("-inf"))
    best, action = q.detach().max(1)
    ended = ~legal.any(1)
    return q, action.masked_fill(ended, -1), best.masked_fill(ended, 0.0)
