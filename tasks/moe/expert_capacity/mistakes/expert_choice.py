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
    for e in range(E):
        queue = mask.nonzero()[:, 0].tolist()
        if policy == "probs":
            queue.sort(key=lambda t: -float(x[t, e]))
        kept[queue[:C], e] = True
    combine = torch.where(kept, x, 0.0)
    dropped = (chosen & ~kept).sum(1)
    return combine, kept, dropped
