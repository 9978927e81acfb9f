# expect: wrong
# mistake: The weight of the policy loss is not detached from v, so v also receives a gradient from policy_loss.
import math

import torch


def iql_losses(q, q_target, v, next_v, r, done, logp_a, gamma, tau=0.7, beta=3.0, clip=100.0):
    q_target = q_target.detach()
    adv = q_target - v

    # critic
    not_done_v = torch.where(done, 0.0, next_v.detach())
    td_target = (r + gamma * not_done_v).detach()
    q_loss = torch.nn.functional.mse_loss(q, td_target)

    # expectile regression
    w = torch.abs(tau - (adv.detach() < 0).to(adv.dtype))
    v_loss = (w * adv.pow(2)).mean()

    # advantage-weighted regression
    exp_adv = torch.exp(torch.clamp(beta * adv, max=math.log(clip)))
    policy_loss = -(exp_adv * logp_a).mean()

    total = v_loss + q_loss + policy_loss
    return total, v_loss.detach(), q_loss.detach(), policy_loss.detach()
