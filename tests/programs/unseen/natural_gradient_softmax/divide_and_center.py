# expect: right
import torch


def natural_gradient_softmax(logits, grad, legal):
    z = logits.double().masked_fill(~legal, float("-inf"))
    g = grad.double().masked_fill(~legal, 0.0)
    p = torch.softmax(z, dim=1)
    advantage = torch.where(legal, g / p.masked_fill(~legal, 1.0), 0.0)
    count = legal.sum(dim=1, keepdim=True)
    mean = advantage.sum(dim=1, keepdim=True) / count
    nat = torch.where(legal, advantage - mean, 0.0)
    rate = (g * nat).sum(dim=1)
    return nat.to(logits.dtype), rate.to(logits.dtype)
