# expect: wrong
# mistake: The mean that is subtracted is taken over all A actions, with 0 for illegal ones, instead of over the legal actions.
import torch


def natural_gradient_softmax(logits, grad, legal):
    z = logits.double().masked_fill(~legal, float("-inf"))
    g = grad.double().masked_fill(~legal, 0.0)
    p = torch.softmax(z, dim=1)
    advantage = torch.where(legal, g / p.masked_fill(~legal, 1.0), 0.0)
    nat = advantage - advantage.mean(dim=1, keepdim=True)
    several = legal.sum(dim=1, keepdim=True) > 1
    nat = torch.where(legal & several, nat, 0.0)
    rate = (g * nat).sum(dim=1)
    return nat.to(logits.dtype), rate.to(logits.dtype)
