import math

import torch


def expert_capacity(probs, mask, k, cf, policy):
    T, E = probs.shape
    real = [t for t in range(T) if mask[t]]
    rows = {t: probs[t].tolist() for t in real}
    wanted = {e: [] for e in range(E)}
    for t in real:
        for e in sorted(range(E), key=lambda e: (-rows[t][e], e))[:k]:
            wanted[e].append(t)
    capacity = math.ceil(len(real) * k * cf / E)
    dispatch = torch.zeros(T, E, dtype=torch.bool)
    dropped = torch.zeros(T, dtype=torch.long)
    for e, queue in wanted.items():
        if policy == "probs":
            queue = sorted(queue, key=lambda t: rows[t][e], reverse=True)
        for t in queue[:capacity]:
            dispatch[t, e] = True
        for t in queue[capacity:]:
            dropped[t] += 1
    combine = probs.masked_fill(~dispatch, 0)
    return combine, dispatch, dropped
