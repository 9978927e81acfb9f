import math

import torch
import torch.nn.functional as F


def expert_capacity(probs, mask, k, cf, policy):
    """Positions in the queues come from a cumulative sum, as in the Switch Transformer's code."""
    E = probs.shape[1]
    clean = torch.nan_to_num(probs.detach()).masked_fill(~mask.unsqueeze(1), 0)
    _, experts = torch.sort(clean, dim=-1, descending=True, stable=True)
    hot = F.one_hot(experts[:, :k], E).sum(1) * mask.long().unsqueeze(1)
    limit = math.ceil(hot.sum().item() / E * cf)
    if policy == "position":
        place = hot.cumsum(0)
    else:
        order = torch.argsort(clean, dim=0, descending=True, stable=True)
        place = torch.zeros_like(hot).scatter(0, order, hot.gather(0, order).cumsum(0))
    dispatch = (hot > 0) & (place <= limit)
    combine = torch.zeros_like(probs)
    rows, cols = dispatch.nonzero(as_tuple=True)
    combine = combine.index_put((rows, cols), probs[rows, cols])
    return combine, dispatch, hot.sum(1) - dispatch.sum(1)
