# expect: wrong
# mistake: q_loss is multiplied by one half, and its target is not detached, so next_v receives a gradient.
import math

import torch


def iql_losses(q, q_target, v, next_v, r, done, logp_a, gamma, tau=0.7, beta=3.0, clip=100.0):
    q_target = q_target.detach()
    td = r + gamma * torch.where(done, torch.zeros_like(next_v), next_v) - q
    q_loss = 0.5 * (td**2).mean()
    adv = q_target - v
    v_loss = torch.where(adv > 0, tau * adv**2, (1.0 - tau) * adv**2).mean()
    w = (beta * adv.detach()).exp().clamp(max=clip)
    policy_loss = -(w * logp_a).mean()
    loss = v_loss + q_loss + policy_loss
    return loss, v_loss.detach(), q_loss.detach(), policy_loss.detach()
