import torch
from torch.nn import functional as F


def iql_losses(q, q_target, v, next_v, r, done, logp_a, gamma, tau=0.7, beta=3.0, clip=100.0):
    with torch.no_grad():
        target = torch.add(r, next_v.masked_fill(done, 0.0), alpha=gamma)
        advantage = q_target - v
        weight = torch.minimum(torch.exp(beta * advantage), torch.full_like(advantage, clip))
    squared = F.mse_loss(v, q_target.detach(), reduction="none")
    expectile = torch.abs(tau - (advantage < 0).to(v.dtype))
    losses = torch.stack([(expectile * squared).mean(), F.mse_loss(q, target), -(weight * logp_a).mean()])
    return (losses.sum(), *losses.detach().unbind())
