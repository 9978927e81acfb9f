# expect: right
import math

import torch


def expert_capacity(probs, mask, k, cf, policy):
    T, E = probs.shape
    real = mask.unsqueeze(1)
    p = probs.detach().masked_fill(~real, 0.0)

    order = torch.sort(p, dim=1, descending=True, stable=True).indices
    chosen = torch.zeros(T, E, dtype=torch.bool, device=probs.device)
    chosen.scatter_(1, order[:, :k], True)
    chosen &= real

    capacity = math.ceil(int(mask.sum()) * k / E * cf)

    if policy == "position":
        rank = chosen.long().cumsum(0) - 1
    else:
        key = p.masked_fill(~chosen, -1.0)
        by_prob = torch.sort(key, dim=0, descending=True, stable=True).indices
        rank = torch.empty_like(by_prob)
        rank.scatter_(0, by_prob, torch.arange(T, device=probs.device).unsqueeze(1).expand(T, E))

    dispatch = chosen & (rank < capacity)
    combine = torch.where(dispatch, probs, torch.zeros((), dtype=probs.dtype, device=probs.device))
    dropped = (chosen & ~dispatch).sum(1)
    return combine, dispatch, dropped
