# expect: wrong
# mistake: Divides the 16-bit gradients by the loss scale before the additions instead of after them, so float16 gradients underflow, and sums that should overflow do not.
import torch


def main_grad_accumulation(grads, scale):
    m = grads.shape[0]
    unscaled = grads / scale
    low = torch.zeros_like(unscaled[0])
    main = torch.zeros_like(unscaled[0]).float()
    s = torch.zeros_like(unscaled[0])
    c = torch.zeros_like(unscaled[0])
    for g in unscaled:
        low = low + g
        main = main + g.float()
        y = g - c
        t = s + y
        c = (t - s) - y
        s = t
    results = tuple(x.float() / m for x in (low, main, s))
    exact = grads.double().mean(0) / scale
    errors = []
    for x in results:
        errors.append((torch.linalg.norm(x.double() - exact) / torch.linalg.norm(exact)).item())
    return results[0], results[1], results[2], errors
