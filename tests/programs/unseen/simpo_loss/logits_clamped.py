# expect: wrong
# mistake: The argument of the logistic function is clamped to [-50, 50], so that a pair that is lost by more has a loss of 50 and no gradient.
import torch


def simpo_loss(avg_logp_w, avg_logp_l, beta=2.0, gamma=1.0) -> torch.Tensor:
    logits = beta * avg_logp_w - beta * avg_logp_l - gamma
    logits = logits.clamp(-50.0, 50.0)  # keeps exp finite
    return torch.log1p(torch.exp(-logits)).mean()
