"""Each expert has a queue of the tokens that chose it, and keeps those at the front."""

import math

import torch


def expert_capacity(probs, mask, k, cf, policy):
    """Return the weights of the kept choices, where they are, and how many choices of each token are dropped.

    Shapes: probs, combine, dispatch [T, E]; mask, dropped [T].
    Source: arXiv:2101.03961, section 2.2 (capacity); Megatron's `moe_token_drop_policy` has the same two policies.
    """
    # Stable sorts keep the order of equal values, which topk does not promise.
    experts = probs.sort(dim=1, descending=True, stable=True).indices[:, :k]
    chosen = torch.zeros_like(probs, dtype=torch.bool).scatter(1, experts, True) & mask[:, None]
    capacity = math.ceil(int(mask.sum()) * k / probs.shape[1] * cf)
    priority = probs if policy == "probs" else torch.zeros_like(probs)
    queue = torch.where(chosen, priority, -1.0).sort(dim=0, descending=True, stable=True).indices
    dispatch = chosen & (queue.argsort(dim=0) < capacity)
    # torch.where instead of `* dispatch`, because 0 * NaN is NaN.
    return torch.where(dispatch, probs, 0.0), dispatch, (chosen & ~dispatch).sum(dim=1)
