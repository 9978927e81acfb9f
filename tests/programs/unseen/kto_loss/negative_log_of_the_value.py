# expect: wrong
# mistake: Each answer's loss is minus the log-sigmoid of its margin, as in DPO, instead of 1 minus the logistic function of the margin.
import torch
import torch.nn.functional as F


def kto_loss(logratio, desirable, kl, beta, w_d=1.0, w_u=1.0) -> torch.Tensor:
    kl = kl.detach().clamp(min=0.0)
    good = -F.logsigmoid(beta * (logratio - kl))
    bad = -F.logsigmoid(beta * (kl - logratio))
    return torch.where(desirable, w_d * good, w_u * bad).mean()
