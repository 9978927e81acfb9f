# expect: right
import torch


def simpo_loss(avg_logp_w, avg_logp_l, beta=2.0, gamma=1.0) -> torch.Tensor:
    margin = beta * (avg_logp_w - avg_logp_l) - gamma
    # -log(1 / (1 + e^-m)) = log(e^0 + e^-m)
    return torch.logaddexp(torch.zeros_like(margin), -margin).mean()
