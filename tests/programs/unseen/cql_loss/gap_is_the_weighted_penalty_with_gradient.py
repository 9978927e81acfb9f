# expect: wrong
# mistake: The second result is alpha times the mean gap instead of the mean gap itself, and it still carries a gradient.
import torch


def soft_maximum(q):
    return torch.logsumexp(q, dim=1)


def cql_loss(q, a, target, alpha):
    target = target.detach()
    values = q.gather(1, a.reshape(-1, 1)).reshape(-1)
    td = ((values - target) ** 2).mean() / 2
    gap = alpha * (soft_maximum(q) - values).mean()
    return td + gap, gap
