# expect: wrong
# mistake: The exponent is the advantage divided by beta, as if beta were a temperature, instead of beta times the advantage.
import math

import torch


def iql_losses(q, q_target, v, next_v, r, done, logp_a, gamma, tau=0.7, beta=3.0, clip=100.0):
    @torch.no_grad()
    def policy_weights():
        exponent = (q_target - v) / beta
        return torch.exp(exponent.clamp(max=math.log(clip)))

    def expectile(difference):
        squared = difference.square()
        return torch.where(difference > 0, tau * squared, (1 - tau) * squared)

    bootstrap = next_v.detach().masked_fill(done, 0)
    v_loss = expectile(q_target.detach() - v).mean()
    q_loss = (r.detach() + gamma * bootstrap - q).square().mean()
    policy_loss = (policy_weights() * -logp_a).mean()
    parts = [v_loss, q_loss, policy_loss]
    return sum(parts), *(part.detach() for part in parts)
