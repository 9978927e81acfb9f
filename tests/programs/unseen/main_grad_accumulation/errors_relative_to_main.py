# expect: wrong
# mistake: Measures the errors against the float32 mean main instead of a mean computed in float64, so the error of main is always 0.
import torch


def main_grad_accumulation(grads, scale):
    M, N = grads.shape
    low = torch.zeros(N, dtype=grads.dtype)
    main = torch.zeros(N, dtype=torch.float32)
    s = torch.zeros(N, dtype=grads.dtype)
    c = torch.zeros(N, dtype=grads.dtype)
    for k in range(M):
        low = low + grads[k]
        main = main + grads[k].to(torch.float32)
        y = grads[k] - c
        t = s + y
        c = (t - s) - y
        s = t
    low = low.float() / (M * scale)
    main = main / (M * scale)
    kahan = s.float() / (M * scale)
    exact = main.double()
    errors = [(torch.norm(v.double() - exact) / torch.norm(exact)).item() for v in (low, main, kahan)]
    return low, main, kahan, errors
