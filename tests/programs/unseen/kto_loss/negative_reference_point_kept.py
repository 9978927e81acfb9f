# expect: wrong
# mistake: The reference point is kl itself even where kl is negative, instead of being at least 0.
import torch


def kto_loss(logratio, desirable, kl, beta, w_d=1.0, w_u=1.0) -> torch.Tensor:
    z0 = kl.detach()
    value_d = torch.sigmoid(beta * (logratio - z0))
    value_u = torch.sigmoid(beta * (z0 - logratio))
    losses = torch.where(desirable, w_d * (1 - value_d), w_u * (1 - value_u))
    return losses.mean()
