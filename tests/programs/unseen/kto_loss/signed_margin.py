# expect: right
import torch


def kto_loss(logratio, desirable, kl, beta, w_d=1.0, w_u=1.0) -> torch.Tensor:
    reference = kl.detach().clamp(min=0)
    margin = beta * (logratio - reference)
    signed = torch.where(desirable, margin, -margin)
    weights = torch.where(desirable, torch.full_like(logratio, w_d), torch.full_like(logratio, w_u))
    # 1 - sigmoid(x) = sigmoid(-x)
    return (weights * torch.sigmoid(-signed)).mean()
