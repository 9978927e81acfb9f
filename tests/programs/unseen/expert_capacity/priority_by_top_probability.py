# expect: wrong
# mistake: With "probs", tokens are ranked by their largest probability over all experts (batch-prioritized routing), instead of by their probability for the expert in question.
import math

import torch


def expert_capacity(probs, mask, k, cf, policy):
    T, E = probs.shape
    safe = probs.detach().clone()
    safe[~mask] = 0.0

    top_idx = safe.sort(dim=-1, descending=True, stable=True)[1][:, :k]
    assign = torch.zeros(T, E, dtype=torch.bool, device=probs.device)
    assign.scatter_(1, top_idx, True)
    assign[~mask] = False

    n_real = int(mask.sum())
    capacity = math.ceil(n_real * k / E * cf)

    if policy == "probs":
        importance = safe.max(dim=-1).values
        order = importance.argsort(descending=True, stable=True)
    else:
        order = torch.arange(T, device=probs.device)

    ordered = assign[order]
    kept = ordered & (ordered.long().cumsum(dim=0) <= capacity)
    dispatch = torch.zeros_like(assign)
    dispatch[order] = kept

    combine = torch.where(dispatch, probs, torch.zeros_like(probs))
    dropped = (assign & ~dispatch).sum(dim=1)
    return combine, dispatch, dropped
