import torch


def linucb(contexts, rewards, alpha, lam=1.0):
    rounds, count, size = contexts.shape
    contexts = contexts.view(rounds * count, size).view(rounds, count, size)
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
