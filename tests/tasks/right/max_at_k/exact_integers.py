from fractions import Fraction
from math import comb

import torch


def max_at_k(rewards, k):
    count = rewards.shape[1]
    total = comb(count, k)
    weights, choices = [], 1
    for j in range(k, count + 1):
        # choices = comb(j - 1, k - 1)
        weights.append(float(Fraction(choices, total)))
        choices = choices * j // (j - k + 1)
    weights = torch.tensor(weights, dtype=torch.float64, device=rewards.device)
    ordered = rewards.double().sort(dim=1).values[:, k - 1 :]
    return (ordered * weights).sum(dim=1).to(rewards.dtype)
