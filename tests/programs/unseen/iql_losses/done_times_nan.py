# expect: wrong
# mistake: The bootstrap value is multiplied by 1 - done, so a NaN in next_v of a finished episode makes q_loss and loss NaN.
import math

import torch


def iql_losses(q, q_target, v, next_v, r, done, logp_a, gamma, tau=0.7, beta=3.0, clip=100.0):
    q_target = q_target.detach()
    nonterminal = 1.0 - done.to(q.dtype)
    target = (r + gamma * nonterminal * next_v).detach()
    q_loss = (q - target).pow(2).mean()

    u = q_target - v
    v_loss = (torch.where(u >= 0, tau * u**2, (1 - tau) * u**2)).mean()

    with torch.no_grad():
        weights = torch.minimum(torch.exp(beta * u), torch.full_like(u, clip))
    policy_loss = (-weights * logp_a).mean()
    loss = v_loss + q_loss + policy_loss
    return loss, v_loss.detach(), q_loss.detach(), policy_loss.detach()
