import math

import torch


def iql_losses(q, q_target, v, next_v, r, done, logp_a, gamma, tau=0.7, beta=3.0, clip=100.0):
    values, critics, policies = [], [], []
    for i in range(len(q)):
        best = float(q_target[i])
        diff = best - v[i]
        values.append((tau if float(diff) > 0 else 1 - tau) * diff * diff)
        target = float(r[i]) + (0.0 if bool(done[i]) else gamma * float(next_v[i]))
        critics.append((q[i] - target) ** 2)
        exponent = beta * (best - float(v[i]))
        weight = clip if exponent >= math.log(clip) else math.exp(exponent)
        policies.append(-weight * logp_a[i])
    v_loss, q_loss, policy_loss = (torch.stack(x).mean() for x in (values, critics, policies))
    return v_loss + q_loss + policy_loss, v_loss.detach(), q_loss.detach(), policy_loss.detach()
