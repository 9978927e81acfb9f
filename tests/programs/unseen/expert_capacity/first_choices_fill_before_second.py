# expect: wrong
# mistake: With "position", all first choices of the batch take capacity before any second choice and so on, instead of only the tokens' order in the batch deciding.
import math

import torch
import torch.nn.functional as F


def expert_capacity(probs, mask, k, cf, policy):
    T, E = probs.shape
    p = probs.detach().masked_fill(~mask[:, None], 0)
    capacity = math.ceil(mask.sum().item() * k * cf / E)

    idx = torch.argsort(p, dim=-1, descending=True, stable=True)[:, :k]     # [T, k]
    onehot = F.one_hot(idx, E) * mask[:, None, None].long()                 # [T, k, E]
    selected = onehot.sum(1).bool()

    if policy == "position":
        flat = onehot.transpose(0, 1).reshape(k * T, E)
        position = flat.cumsum(0) - 1
        keep = (flat * (position < capacity).long()).reshape(k, T, E)
        dispatch = keep.sum(0).bool()
    else:
        value = torch.where(selected, p, torch.full_like(p, -1.0))
        rank = value.argsort(dim=0, descending=True, stable=True).argsort(dim=0)
        dispatch = selected & (rank < capacity)

    combine = probs.masked_fill(~dispatch, 0)
    dropped = selected.sum(1) - dispatch.sum(1)
    return combine, dispatch, dropped
