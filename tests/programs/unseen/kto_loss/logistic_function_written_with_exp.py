# expect: wrong
# mistake: The logistic function is written as 1 / (1 + exp(-x)), whose exponential overflows for extreme log-ratios, so the gradient there is NaN.
import torch


def kto_loss(logratio, desirable, kl, beta, w_d=1.0, w_u=1.0) -> torch.Tensor:
    def logistic(x):
        return 1.0 / (1.0 + torch.exp(-x))

    z0 = max(kl.item(), 0.0)
    margin = torch.where(desirable, logratio - z0, z0 - logratio)
    w = torch.where(desirable, torch.full_like(margin, w_d), torch.full_like(margin, w_u))
    return (w * (1.0 - logistic(beta * margin))).mean()
