# expect: right
import torch


def iql_losses(q, q_target, v, next_v, r, done, logp_a, gamma, tau=0.7, beta=3.0, clip=100.0):
    q_target, next_v, r = q_target.detach(), next_v.detach(), r.detach()

    diff = q_target - v
    expectile_weight = torch.where(diff > 0, torch.full_like(diff, tau), torch.full_like(diff, 1 - tau))
    v_loss = (expectile_weight * diff.square()).mean()

    bootstrap = torch.where(done, torch.zeros_like(next_v), next_v)
    q_loss = (q - (r + gamma * bootstrap)).square().mean()

    weight = torch.exp(beta * diff.detach()).clamp(max=clip)
    policy_loss = -(weight * logp_a).mean()

    loss = v_loss + q_loss + policy_loss
    return loss, v_loss.detach(), q_loss.detach(), policy_loss.detach()
