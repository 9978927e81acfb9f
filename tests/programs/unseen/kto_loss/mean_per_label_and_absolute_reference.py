# expect: wrong
# mistake: The desirable and the undesirable answers are averaged separately and the two means are added, and the reference point is the absolute value of kl.
import torch


def kto_loss(logratio, desirable, kl, beta, w_d=1.0, w_u=1.0) -> torch.Tensor:
    z0 = kl.detach().abs()
    d, u = logratio[desirable], logratio[~desirable]
    loss = logratio.sum() * 0
    if d.numel():
        loss = loss + w_d * (1 - torch.sigmoid(beta * (d - z0))).mean()
    if u.numel():
        loss = loss + w_u * (1 - torch.sigmoid(beta * (z0 - u))).mean()
    return loss
