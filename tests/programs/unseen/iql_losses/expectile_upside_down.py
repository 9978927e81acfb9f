# expect: wrong
# mistake: The expectile weight is tau where v is larger than q_target and 1 - tau otherwise, so v_loss fits the (1 - tau)-expectile.
import math

import torch


def iql_losses(q, q_target, v, next_v, r, done, logp_a, gamma, tau=0.7, beta=3.0, clip=100.0):
    with torch.no_grad():
        target = r + gamma * next_v.masked_fill(done, 0.0)
        weight = torch.exp((beta * (q_target - v)).clamp(max=math.log(clip)))
    error = v - q_target.detach()
    v_loss = torch.where(error > 0, tau * error**2, (1 - tau) * error**2).mean()
    q_loss = ((q - target) ** 2).mean()
    policy_loss = -(weight * logp_a).mean()
    return v_loss + q_loss + policy_loss, v_loss.detach(), q_loss.detach(), policy_loss.detach()
