import math
from collections import defaultdict

import torch


def best_of_n_kl(n, probs, rewards):
    divergences = []
    for ps, rs in zip(probs.tolist(), rewards.tolist(), strict=True):
        levels = defaultdict(float)
        for p, r in zip(ps, rs, strict=True):
            levels[r] += p
        # Merging tied answers does not change the divergence, because their ratio to the policy is the same.
        divergence = lower = 0.0
        for r in sorted(levels):
            upper = lower + levels[r]
            q = upper**n - lower**n
            if q > 0 and levels[r] > 0:
                divergence += q * (math.log(q) - math.log(levels[r]))
            lower = upper
        divergences.append(divergence)
    return torch.tensor(divergences, dtype=torch.float64), math.log(n) - 1 + 1 / n
