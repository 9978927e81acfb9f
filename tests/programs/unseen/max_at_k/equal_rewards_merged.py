# expect: wrong
# mistake: Samples with the same reward are merged into one sample before the sets are counted (k is limited to what is left).
from math import comb

import torch


def expected_max(values, k):
    n = len(values)
    total = comb(n, k)
    return sum(comb(i, k - 1) / total * value for i, value in enumerate(values) if i >= k - 1)


def max_at_k(rewards, k) -> torch.Tensor:
    estimates = []
    for row in rewards.double():
        values = sorted(set(row.tolist()))
        estimates.append(expected_max(values, min(k, len(values))))
    return torch.tensor(estimates, dtype=rewards.dtype)
