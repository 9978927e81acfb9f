import torch


def linucb(contexts, rewards, alpha, lam=1.0):
    _, count, size = contexts.shape
    inverse = (torch.eye(size, dtype=contexts.dtype, device=contexts.device) / lam).repeat(count, 1, 1)
    sums = contexts.new_zeros(count, size)
    arms, scores = [], []
    for x, reward in zip(contexts, rewards, strict=True):
        theta = torch.einsum("kij,kj->ki", inverse, sums)
        variance = torch.einsum("ki,kij,kj->k", x, inverse, x)
        score = (theta * x).sum(dim=1) + alpha * variance.clamp(min=0).sqrt()
        arm = score.argmax()
        shrunk = inverse[arm] @ x[arm]
        inverse[arm] -= torch.outer(shrunk, shrunk)
        sums[arm] += reward[arm] * x[arm]
        arms.append(arm)
        scores.append(score)
    return torch.stack(arms), torch.stack(scores), torch.einsum("kij,kj->ki", inverse, sums)
