import torch


def keep(scores, chosen, capacity):
    """Pairwise comparison: a choice is kept if fewer than `capacity` choices of the same expert come before it."""
    n = len(scores)
    earlier = torch.arange(n)[:, None] < torch.arange(n)[None, :]
    ahead = (scores[:, None] > scores[None, :]) | ((scores[:, None] == scores[None, :]) & earlier[:, :, None])
    in_front = (ahead & chosen[:, None]).sum(0)
    return chosen & (in_front < capacity)


def expert_capacity(probs, mask, k, cf, policy):
    places = mask.nonzero().flatten()
    p = probs[places]
    n, E = p.shape
    d = p.detach()
    smaller = torch.arange(E)[:, None] < torch.arange(E)[None, :]
    better = (d[:, :, None] > d[:, None, :]) | ((d[:, :, None] == d[:, None, :]) & smaller)
    chosen = better.sum(1) < k
    capacity = -int(-(n * k * cf) // E)
    kept = keep(d if policy == "probs" else torch.zeros_like(d), chosen, capacity)
    dispatch = torch.zeros(probs.shape, dtype=torch.bool)
    dispatch[places] = kept
    dropped = torch.zeros(len(probs), dtype=torch.long)
    dropped[places] = (chosen & ~kept).sum(1)
    combine = torch.zeros_like(probs).index_add(0, places, p * kept)
    return combine, dispatch, dropped
