# expect: wrong
# mistake: The exponent beta times the advantage is limited to clip instead of the weight, so weights exceed clip and overflow.
import torch


def iql_losses(q, q_target, v, next_v, r, done, logp_a, gamma, tau=0.7, beta=3.0, clip=100.0):
    adv = (q_target - v).detach()
    weights = torch.exp(torch.clamp(beta * adv, max=clip))
    policy_loss = -(weights * logp_a).mean()

    difference = q_target.detach() - v
    factor = torch.where(difference > 0, torch.full_like(v, tau), torch.full_like(v, 1 - tau))
    v_loss = (factor.detach() * difference * difference).mean()

    target = r.detach().clone()
    running = ~done
    target[running] += gamma * next_v.detach()[running]
    q_loss = ((target - q) ** 2).mean()

    loss = v_loss + q_loss + policy_loss
    return loss, v_loss.detach(), q_loss.detach(), policy_loss.detach()
