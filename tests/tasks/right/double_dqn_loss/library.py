import torch
from torch import nn


def double_dqn_loss(q, q_next_online, q_next_target, a, r, done, gamma, n=1, weights=None):
    with torch.no_grad():
        choice = nn.functional.one_hot(q_next_online.argmax(dim=-1), q.shape[-1]).bool()
        bootstrap = q_next_target.masked_fill(~choice, 0).sum(dim=-1).masked_fill(done, 0)
        target = torch.add(r, bootstrap, alpha=gamma**n)
    taken = nn.functional.one_hot(a, q.shape[-1]).to(q.dtype)
    value = torch.einsum("ba,ba->b", q, taken)
    loss = nn.SmoothL1Loss(reduction="none")(value, target)
    if weights is not None:
        loss = torch.mul(loss, weights.detach())
    return loss.mean(), (target - value).detach()
