# expect: wrong
# mistake: combine is probs multiplied by dispatch, so NaN or infinite probabilities at padding give NaN in combine instead of 0.
import math

import torch


def _topk_mask(p, k):
    idx = torch.sort(p, dim=1, descending=True, stable=True).indices[:, :k]
    return torch.zeros_like(p, dtype=torch.bool).scatter_(1, idx, True)


def _keep_column(chosen, p, capacity, policy):
    tokens = [t for t in range(len(chosen)) if chosen[t]]
    if policy == "probs":
        tokens.sort(key=lambda t: -p[t])
    return tokens[:capacity]


def expert_capacity(probs, mask, k, cf, policy):
    T, E = probs.shape
    with torch.no_grad():
        p = probs.detach().masked_fill(~mask.unsqueeze(1), 0.0)
        chosen = _topk_mask(p, k) & mask.unsqueeze(1)
        capacity = math.ceil(int(mask.sum()) * k * cf / E)
        dispatch = torch.zeros_like(chosen)
        for e in range(E):
            kept = _keep_column(chosen[:, e].tolist(), p[:, e].tolist(), capacity, policy)
            if kept:
                dispatch[kept, e] = True
        dropped = torch.where(mask, k - dispatch.sum(1), torch.zeros_like(mask, dtype=torch.int64))
    combine = probs * dispatch.to(probs.dtype)
    return combine, dispatch, dropped
