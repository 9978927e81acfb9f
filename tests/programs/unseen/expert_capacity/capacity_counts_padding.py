# expect: wrong
# mistake: The capacity is computed from all T tokens including padding, instead of only from the real tokens.
import math

import torch


def expert_capacity(probs, mask, k, cf, policy):
    n_tokens, n_experts = probs.shape
    capacity = math.ceil(n_tokens * k * cf / n_experts)

    clean = torch.where(mask[:, None], probs, torch.zeros_like(probs))
    top = clean.detach().argsort(dim=1, descending=True, stable=True)[:, :k]
    picked = torch.zeros_like(clean, dtype=torch.bool).scatter(1, top, True) & mask[:, None]

    dispatch = torch.zeros_like(picked)
    for e in range(n_experts):
        rows = picked[:, e].nonzero(as_tuple=True)[0]
        if policy == "probs":
            by_p = clean[rows, e].detach().argsort(descending=True, stable=True)
            rows = rows[by_p]
        dispatch[rows[:capacity], e] = True

    combine = torch.where(dispatch, clean, torch.zeros_like(clean))
    dropped = picked.sum(1) - dispatch.sum(1)
    return combine, dispatch, dropped
