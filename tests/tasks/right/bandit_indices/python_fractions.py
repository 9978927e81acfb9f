import math
from fractions import Fraction

import torch


def ucb1(won, pulled):
    total = sum(pulled)
    return [math.inf if n == 0 else w / n + math.sqrt(2 * math.log(total) / n) for w, n in zip(won, pulled)]


def epsilon_greedy(won, pulled, eps, explore_draw, arm_draw):
    if explore_draw < eps:
        return math.floor(arm_draw * len(won))
    rates = [Fraction(w, n) if n else Fraction(0) for w, n in zip(won, pulled)]
    return rates.index(max(rates))


def bandit_indices(wins, pulls, eps, u, v) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return (index, choice, posterior): [B, K] float32, [B] int64, and [B, K, 2] float32."""
    index, choice, posterior = [], [], []
    for won, pulled, a, b in zip(wins.tolist(), pulls.tolist(), u.tolist(), v.tolist()):
        index.append(ucb1(won, pulled))
        choice.append(epsilon_greedy(won, pulled, eps, a, b))
        posterior.append([[1 + w, 1 + n - w] for w, n in zip(won, pulled)])
    size = tuple(wins.shape)
    return (
        torch.tensor(index, dtype=torch.float32).reshape(size),
        torch.tensor(choice, dtype=torch.int64),
        torch.tensor(posterior, dtype=torch.float32).reshape(*size, 2),
    )
