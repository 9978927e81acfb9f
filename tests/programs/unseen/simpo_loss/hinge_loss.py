# expect: wrong
# mistake: The loss of a pair is the hinge max(0, gamma - reward difference) instead of the negative log of the logistic function.
import torch


def simpo_loss(avg_logp_w, avg_logp_l, beta=2.0, gamma=1.0) -> torch.Tensor:
    won_by = beta * (avg_logp_w - avg_logp_l)
    missing = gamma - won_by
    return torch.relu(missing).mean()
