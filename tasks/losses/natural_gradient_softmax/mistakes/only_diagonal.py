import torch


def natural_gradient_softmax(logits, grad, legal):
    probs = logits.masked_fill(~legal, -torch.inf).softmax(dim=1)
    grad = grad.masked_fill(~legal, 0.0)
    ratio = grad / (probs * (1 - probs)).masked_fill(~legal, 1.0)
    mean = ratio.sum(dim=1, keepdim=True) / legal.sum(dim=1, keepdim=True)
    nat = ratio.masked_fill(~legal, 0.0)
    return nat, (grad * nat).sum(dim=1)
