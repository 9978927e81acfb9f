# expect: right
import math

import torch


def _best_arm(wins, pulls):
    """Arm with the largest wins/pulls (0 without pulls), compared with exact integers; lowest index on ties."""
    best, bw, bp = 0, 0, 1
    for arm, (w, p) in enumerate(zip(wins, pulls)):
        if p == 0:
            w, p = 0, 1
        if arm == 0 or w * bp > bw * p:
            best, bw, bp = arm, w, p
    return best


def bandit_indices(wins, pulls, eps, u, v):
    B, K = wins.shape
    W, P = wins.tolist(), pulls.tolist()
    U, V = u.tolist(), v.tolist()
    index, choice = [], []
    for b in range(B):
        total = sum(P[b])
        row = []
        for w, p in zip(W[b], P[b]):
            row.append(math.inf if p == 0 else w / p + math.sqrt(2 * math.log(total) / p))
        index.append(row)
        if U[b] < eps:
            choice.append(min(int(V[b] * K), K - 1))
        else:
            choice.append(_best_arm(W[b], P[b]))
    index = torch.tensor(index, dtype=torch.float32).reshape(B, K)
    choice = torch.tensor(choice, dtype=torch.int64)
    posterior = torch.stack([wins + 1, pulls - wins + 1], dim=-1).to(torch.float32)
    return index, choice, posterior
