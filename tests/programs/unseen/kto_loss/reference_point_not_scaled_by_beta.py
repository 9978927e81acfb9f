# expect: wrong
# mistake: Only the log-ratio is multiplied by beta and the reference point is subtracted unscaled, inside the logistic function.
import torch
from torch import sigmoid


def kto_loss(logratio, desirable, kl, beta, w_d=1.0, w_u=1.0) -> torch.Tensor:
    reward = beta * logratio
    z_ref = torch.clamp(kl, min=0).detach()
    sign = desirable.to(logratio.dtype) * 2 - 1
    weight = desirable.to(logratio.dtype) * w_d + (~desirable).to(logratio.dtype) * w_u
    value = sigmoid(sign * (reward - z_ref))
    return (weight * (1 - value)).mean()
