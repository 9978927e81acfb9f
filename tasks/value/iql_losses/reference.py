"""Each loss trains one network: everything that comes from another network is a constant."""

import torch


def iql_losses(q, q_target, v, next_v, r, done, logp_a, gamma, tau=0.7, beta=3.0, clip=100.0):
    """Return the sum of the losses and, detached, the three losses, four 0-dim tensors.

    Shapes: all tensors [B].
    Source: arXiv:2110.06169, section 4, eqs. 5-7.
    """
    above = q_target.detach() - v
    expectile_weight = torch.where(above > 0, tau, 1 - tau)
    v_loss = (expectile_weight * above.square()).mean()

    # torch.where instead of `* ~done`, because 0 * NaN is NaN.
    target = r + torch.where(done, 0.0, gamma * next_v.detach())
    q_loss = (target - q).square().mean()

    weight = (beta * above.detach()).exp().clamp(max=clip)
    policy_loss = -(weight * logp_a).mean()
    return v_loss + q_loss + policy_loss, v_loss.detach(), q_loss.detach(), policy_loss.detach()
