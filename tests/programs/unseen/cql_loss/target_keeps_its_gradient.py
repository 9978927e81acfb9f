# expect: wrong
# mistake: The target is not detached, so that it receives a gradient from the TD error.
import torch


def cql_loss(q, a, target, alpha):
    batch = q.size(0)
    td_terms, gaps = [], []
    for i in range(batch):
        value = q[i, a[i]]
        td_terms.append((value - target[i]) ** 2 / 2)
        gaps.append(torch.logsumexp(q[i], dim=0) - value)
    td = torch.stack(td_terms)
    gap = torch.stack(gaps)
    return (td + alpha * gap).mean(), gap.mean().detach()
