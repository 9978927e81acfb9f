import torch


def iql_losses(q, q_target, v, next_v, r, done, logp_a, gamma, tau=0.7, beta=3.0, clip=100.0):
    q_target, next_v = q_target.detach(), torch.where(done, 0.0, next_v.detach())
    gap = q_target - v
    v_loss = (torch.where(gap > 0, tau, 1 - tau).to(q.dtype) * gap.square()).mean()
    q_loss = (q - r.detach() - gamma * next_v).square().mean()
    weight = (beta * gap.detach()).exp().clamp(max=clip)
    policy_loss = -(weight * logp_a).mean()
    return v_loss + q_loss + policy_loss, v_loss.detach(), q_loss.detach(), policy_loss.detach()
