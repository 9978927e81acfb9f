"""Each arm keeps two sums: its regularized Gram matrix, and its contexts weighted by their rewards."""

import torch


def linucb(contexts, rewards, alpha, lam=1.0):
    """Return the chosen arms [T], the scores [T, K] before each choice, and the final estimates [K, d].

    Shapes: contexts [T, K, d]; rewards [T, K].
    Source: arXiv:1003.0146, algorithm 1 (with a ridge penalty of lam instead of 1).
    """
    _, count, size = contexts.shape
    gram = (lam * torch.eye(size, dtype=contexts.dtype, device=contexts.device)).repeat(count, 1, 1)
    sums = contexts.new_zeros(count, size)
    arms, scores = [], []
    for x, reward in zip(contexts, rewards, strict=True):
        theta = torch.linalg.solve(gram, sums)
        variance = (x * torch.linalg.solve(gram, x)).sum(dim=1)
        score = (theta * x).sum(dim=1) + alpha * variance.sqrt()
        arm = score.argmax()
        gram[arm] += torch.outer(x[arm], x[arm])
        sums[arm] += reward[arm] * x[arm]
        arms.append(arm)
        scores.append(score)
    return torch.stack(arms), torch.stack(scores), torch.linalg.solve(gram, sums)
