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
    pairs = [(t, e) for t in range(T) for e in range(E) if chosen[t, e]]
    if policy == "probs":
        pairs.sort(key=lambda pair: -float(x[pair]))
    for t, e in pairs[: C * E]:
        kept[t, e] = True
    combine = torch.where(kept, x, 0.0)
    dropped = (chosen & ~kept).sum(1)
    return combine, kept, dropped
