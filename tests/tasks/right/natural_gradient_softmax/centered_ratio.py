import torch


def natural_gradient_softmax(logits, grad, legal):
    p = torch.softmax(logits.masked_fill(~legal, float("-inf")), dim=-1)
    g = grad.masked_fill(~legal, 0.0)
    ratio = g / torch.where(legal, p, torch.ones_like(p))
    count = legal.sum(dim=-1, keepdim=True)
    nat = (ratio - ratio.sum(dim=-1, keepdim=True) / count).masked_fill(~legal | (count == 1), 0.0)
    rate = (g * ratio).sum(dim=-1).masked_fill(count.squeeze(-1) == 1, 0.0)
    return nat, rate
