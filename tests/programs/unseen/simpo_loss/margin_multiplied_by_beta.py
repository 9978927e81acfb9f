# expect: wrong
# mistake: The margin is subtracted from the difference of the average log-probabilities, so that gamma is multiplied by beta.
import torch
import torch.nn.functional as F


def simpo_loss(avg_logp_w, avg_logp_l, beta=2.0, gamma=1.0) -> torch.Tensor:
    """Reference-free preference loss."""
    pi_logratios = avg_logp_w - avg_logp_l
    logits = pi_logratios - gamma
    losses = -F.logsigmoid(beta * logits)
    return losses.mean()
