# expect: wrong
# mistake: The weights are the probabilities divided by their sum over the k chosen experts instead of the plain probabilities, and the capacity is rounded down instead of up.
import torch


def expert_capacity(probs, mask, k, cf, policy):
    T, E = probs.shape
    filled = probs.masked_fill(~mask[:, None], 1.0 / E)
    idx = filled.detach().argsort(dim=-1, descending=True, stable=True)[:, :k]

    chosen = torch.zeros_like(filled, dtype=torch.bool).scatter(1, idx, True)
    chosen = chosen & mask[:, None]

    capacity = int(mask.sum().item() * k / E * cf)

    if policy == "position":
        slot = chosen.long().cumsum(0)
    elif policy == "probs":
        score = filled.detach().masked_fill(~chosen, float("-inf"))
        order = score.argsort(dim=0, descending=True, stable=True)
        slot = order.argsort(dim=0) + 1
    else:
        raise ValueError(policy)

    dispatch = chosen & (slot <= capacity)
    denom = filled.gather(1, idx).sum(-1, keepdim=True)
    combine = (filled / denom).masked_fill(~dispatch, 0.0)
    dropped = chosen.sum(1) - dispatch.sum(1)
    return combine, dispatch, dropped
