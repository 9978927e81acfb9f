# expect: wrong
# mistake: The rejected answer is treated as a constant baseline, so that no gradient flows through avg_logp_l.
import torch
import torch.nn.functional as F


def reward(avg_logp, beta):
    return beta * avg_logp


def simpo_loss(avg_logp_w, avg_logp_l, beta=2.0, gamma=1.0) -> torch.Tensor:
    baseline = reward(avg_logp_l, beta).detach()
    logits = reward(avg_logp_w, beta) - baseline - gamma
    return F.softplus(-logits).mean()
