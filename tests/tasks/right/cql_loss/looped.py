import torch


def cql_loss(q, a, target, alpha):
    losses, gaps = [], []
    for row, action, goal in zip(q, a.tolist(), target.detach(), strict=True):
        legal = row[row != float("-inf")]
        top = legal.max().detach()
        soft = top + (legal - top).exp().sum().log()
        gap = soft - row[action]
        losses.append((row[action] - goal) ** 2 / 2 + alpha * gap)
        gaps.append(gap.detach())
    return torch.stack(losses).mean(), torch.stack(gaps).mean()
