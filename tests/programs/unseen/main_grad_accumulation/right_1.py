# expect: right
import torch


def main_grad_accumulation(grads, scale):
    """Return the mean gradient from a 16-bit sum, a float32 sum, and a 16-bit Kahan sum, and their relative errors."""
    m = grads.shape[0]
    low = torch.zeros_like(grads[0])
    main = torch.zeros_like(grads[0], dtype=torch.float32)
    s = torch.zeros_like(grads[0])
    c = torch.zeros_like(grads[0])
    for g in grads:
        low = low + g
        main = main + g.float()
        y = g - c
        t = s + y
        c = (t - s) - y
        s = t
    low, main, kahan = (x.float() / (m * scale) for x in (low, main, s))
    exact = grads.double().sum(dim=0) / (m * scale)
    norm = torch.linalg.vector_norm(exact)
    errors = [(torch.linalg.vector_norm(x.double() - exact) / norm).item() for x in (low, main, kahan)]
    return low, main, kahan, errors
