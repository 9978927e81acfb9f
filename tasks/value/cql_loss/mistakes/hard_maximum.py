import torch


def cql_loss(q, a, target, alpha):
    rows = torch.arange(len(q), device=q.device)
    chosen = q[rows, a]
    error = chosen - target.detach()
    gap = q.amax(dim=1) - chosen
    loss = (0.5 * error**2 + alpha * gap).mean()
    return loss, gap.mean().detach()
