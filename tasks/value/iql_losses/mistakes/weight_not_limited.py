import torch


def iql_losses(q, q_target, v, next_v, r, done, logp_a, gamma, tau=0.7, beta=3.0, clip=100.0):
    u = q_target.detach() - v
    v_loss = torch.mean(torch.abs(tau - (u < 0).to(u.dtype)) * u**2)
    target = r + gamma * next_v.detach().masked_fill(done, 0.0)
    q_loss = torch.mean((q - target) ** 2)
    weight = torch.exp(beta * u.detach())
    policy_loss = -torch.mean(weight * logp_a)
    loss = v_loss + q_loss + policy_loss
    return loss, v_loss.detach(), q_loss.detach(), policy_loss.detach()
