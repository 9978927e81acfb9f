# expect: wrong
# mistake: A token chooses every expert whose probability is at least its k-th largest value, so with equal probabilities it chooses more than k experts instead of preferring the smaller indices.
import math

import torch


def expert_capacity(probs, mask, k, cf, policy):
    T, E = probs.shape
    p = torch.where(mask.unsqueeze(-1), probs, torch.zeros_like(probs))
    with torch.no_grad():
        kth = p.topk(k, dim=-1).values[:, -1:]
        chosen = (p >= kth) & mask.unsqueeze(-1)
        capacity = math.ceil(mask.sum().item() * k / E * cf)
        if policy == "position":
            dispatch = chosen & (chosen.cumsum(0) <= capacity)
        else:
            ranked = torch.where(chosen, p, -torch.ones_like(p))
            order = torch.argsort(ranked, dim=0, descending=True, stable=True)
            fits = torch.zeros_like(chosen)
            fits.scatter_(0, order[:capacity], True)
            dispatch = chosen & fits
        dropped = chosen.sum(-1) - dispatch.sum(-1)
    combine = torch.where(dispatch, p, torch.zeros_like(p))
    return combine, dispatch, dropped
