import torch


def double_dqn_loss(q, q_next_online, q_next_target, a, r, done, gamma, n=1, weights=None):
    rows = torch.arange(a.numel(), device=a.device)
    goes_on = ~done
    target = r.clone().detach()
    live = rows[goes_on]
    best = q_next_online.detach()[live].max(dim=1).indices
    target[live] += gamma**n * q_next_target.detach()[live, best]
    error = target - q[rows, a]
    inside = error.clamp(-1, 1)
    loss = inside * (error - 0.5 * inside)
    weight = torch.ones_like(loss).detach() if weights is None else weights.detach()
    return (weight * loss).sum() / len(rows), error.detach()
