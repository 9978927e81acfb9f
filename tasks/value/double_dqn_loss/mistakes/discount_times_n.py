import torch


def double_dqn_loss(q, q_next_online, q_next_target, a, r, done, gamma, n=1, weights=None):
    rows = torch.arange(len(a), device=a.device)
    chosen = q_next_online.detach().argmax(dim=1)
    future = q_next_target.detach()[rows, chosen]
    target = torch.where(done, r, r + gamma * n * future)
    error = target - q[rows, a]
    size = error.abs()
    huber = torch.where(size <= 1.0, 0.5 * error ** 2, size - 0.5)
    if weights is not None:
        huber = weights.detach() * huber
    return huber.mean(), error.detach()
