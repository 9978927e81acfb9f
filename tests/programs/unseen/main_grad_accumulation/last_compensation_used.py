# expect: wrong
# mistake: Subtracts the last compensation c from the Kahan sum in float32, although the last c is not to be used.
import torch


def low_sum(grads):
    total = torch.zeros_like(grads[0])
    for g in grads:
        total = total + g
    return total.float()


def main_sum(grads):
    total = torch.zeros_like(grads[0], dtype=torch.float32)
    for g in grads:
        total.add_(g.float())
    return total


def kahan_sum(grads):
    s = torch.zeros_like(grads[0])
    c = torch.zeros_like(grads[0])
    for g in grads:
        y = g - c
        t = s + y
        c = (t - s) - y
        s = t
    return s.float() - c.float()


def main_grad_accumulation(grads, scale):
    divisor = len(grads) * scale
    low, main, kahan = (f(grads) / divisor for f in (low_sum, main_sum, kahan_sum))
    exact = grads.double().sum(0) / divisor
    size = exact.norm()
    return low, main, kahan, [((x.double() - exact).norm() / size).item() for x in (low, main, kahan)]
