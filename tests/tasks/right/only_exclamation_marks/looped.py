import math

import torch


def policy_loss(logprobs, ref_logprobs, advantages, mask, kl_weight):
    losses, estimates = [], []
    for b, t in mask.nonzero().tolist():
        logp = logprobs[b, t]
        difference = float(ref_logprobs[b, t]) - float(logp)
        value = math.exp(difference) - 1 - difference if difference < 100 else math.inf
        if value > 10:
            estimate = torch.full_like(logp, 10.0, requires_grad=False)
        else:
            gap = ref_logprobs[b, t].detach() - logp
            estimate = gap.exp() - 1 - gap
        losses.append(kl_weight * estimate - advantages[b, t].detach() * logp)
        estimates.append(estimate.detach())
    return torch.stack(losses).mean(), torch.stack(estimates).mean()
