# expect: wrong
# mistake: The gradients of illegal actions are multiplied by 0 instead of replaced, so a NaN there makes the row NaN.
import torch


def natural_gradient_softmax(logits, grad, legal):
    keep = legal.double()
    p = torch.softmax(torch.where(legal, logits.double(), float("-inf")), dim=1)
    g = grad.double() * keep
    score = g / torch.where(legal, p, 1.0)
    baseline = score.sum(1, keepdim=True) / keep.sum(1, keepdim=True)
    nat = (score - baseline) * keep
    rate = (nat * g).sum(1)
    return nat.to(logits.dtype), rate.to(logits.dtype)
