import torch


def cql_loss(q, a, target, alpha):
    rows = torch.arange(len(q), device=q.device)
    chosen = q[rows, a]
    error = chosen - target.detach()
    picked = torch.nn.functional.one_hot(a, q.shape[1]).to(q.dtype)
    gap = -(picked * q.log_softmax(dim=1)).sum(dim=1)
    loss = (0.5 * error**2 + alpha * gap).mean()
    return loss, gap.mean().detach()
