import math

import torch


def best_of_n_kl(n, probs, rewards):
    order = rewards.argsort(dim=1)
    p, r = probs.gather(1, order), rewards.gather(1, order)
    total = p.cumsum(1)
    # First and last position of each answer's reward in the sorted row.
    first = torch.searchsorted(r.contiguous(), r.contiguous(), right=False)
    last = torch.searchsorted(r.contiguous(), r.contiguous(), right=True) - 1
    padded = torch.cat([torch.zeros_like(total[:, :1]), total], dim=1)
    lower, upper = padded.gather(1, first), padded.gather(1, last + 1)
    same = upper - lower
    safe = torch.where(same > 0, same, torch.ones_like(same))
    growth = (upper.pow(n) - lower.pow(n)) / safe
    kept = p * growth
    kl = torch.xlogy(kept, torch.where(growth > 0, growth, torch.ones_like(growth))).sum(1)
    # With rank u of the best answer: E[log u] = -1 / n.
    return kl, math.log(n) + (n - 1) * (-1 / n)
