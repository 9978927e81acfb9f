# expect: wrong
# mistake: Tied answers are ranked by index with the smaller index winning, and 1e-8 is added to both probabilities inside the logarithms.
import math

import torch

EPS = 1e-8


def best_of_n_kl(n, probs, rewards):
    B, M = probs.shape
    kl = torch.empty(B, dtype=torch.float64)
    for b in range(B):
        order = sorted(range(M), key=lambda i: (-rewards[b, i].item(), i))
        remaining = 1.0
        total = 0.0
        norm = probs[b].sum().item()
        for i in order:
            p = probs[b, i].item() / norm
            after = max(remaining - p, 0.0)
            q = remaining**n - after**n
            total += q * (math.log(q + EPS) - math.log(p + EPS))
            remaining = after
        kl[b] = total
    bound = math.log(n) - (n - 1) / n
    return kl, bound
