# expect: wrong
# mistake: nat is the gradient divided by the probabilities, which the Fisher matrix maps to grad, but without subtracting its mean over the legal actions, so it does not have the smallest norm.
import torch


def natural_gradient_softmax(logits, grad, legal):
    nat = torch.zeros(logits.shape, dtype=logits.dtype)
    rate = torch.zeros(logits.shape[0], dtype=logits.dtype)
    for row in range(logits.shape[0]):
        ok = legal[row]
        if int(ok.sum()) == 1:
            continue
        p = torch.softmax(logits[row, ok].double(), dim=0)
        g = grad[row, ok].double()
        direction = g / p
        nat[row, ok] = direction.to(logits.dtype)
        rate[row] = (g * direction).sum().to(logits.dtype)
    return nat, rate
