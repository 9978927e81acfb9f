import math

import torch


def expert_capacity(probs, mask, k, cf, policy):
    T, E = probs.shape
    x = torch.where(mask[:, None], probs, 0.0)
    order = torch.argsort(x, dim=1, descending=True, stable=True)[:, :k]
    chosen = torch.zeros(T, E, dtype=torch.bool)
    chosen[torch.arange(T)[:, None], order] = True
    chosen &= mask[:, None]
    n = int(mask.sum())
    C = math.ceil(n * k / E * cf)
    kept = torch.zeros_like(chosen)
    score = x.detach() + 1 if policy == "probs" else torch.arange(T, 0, -1.0)[:, None].expand(T, E)
    score = torch.where(chosen, score, -1.0)
    best = score.topk(C, dim=0).indices
    kept = torch.zeros_like(chosen).scatter(0, best, True) & chosen
    combine = torch.where(kept, x, 0.0)
    dropped = (chosen & ~kept).sum(1)
    return combine, kept, dropped
