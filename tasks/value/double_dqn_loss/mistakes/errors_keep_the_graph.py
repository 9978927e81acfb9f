import torch
from torch.nn import functional


def double_dqn_loss(q, q_next_online, q_next_target, a, r, done, gamma, n=1, weights=None):
    with torch.no_grad():
        picked = q_next_online.argmax(dim=1, keepdim=True)
        later = q_next_target.gather(1, picked).squeeze(1)
        target = r + gamma**n * torch.where(done, 0.0, later)
    value = q.gather(1, a[:, None]).squeeze(1)
    losses = functional.huber_loss(value, target, reduction="none")
    if weights is not None:
        losses = losses * weights.detach()
    return losses.mean(), target - value
