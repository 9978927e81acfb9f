# expect: wrong
# mistake: Block sums and the total are accumulated in float64 and rounded to float32 once at the end, instead of rounding each product and each sum to float32.
import torch


def _block_sum(x, w, lo, hi):
    acc = torch.zeros(x.shape[0], w.shape[1], dtype=torch.float64, device=x.device)
    for k in range(lo, hi):
        acc += torch.outer(x[:, k], w[k])
    return acc


def batch_invariant_reduction(x, w, block):
    k_dim = x.shape[1]
    xd = x.to(torch.float64)
    wd = w.to(torch.float64)
    total = torch.zeros(x.shape[0], w.shape[1], dtype=torch.float64, device=x.device)
    for lo in range(0, k_dim, block):
        total += _block_sum(xd, wd, lo, min(lo + block, k_dim))
    return total.to(torch.float32)
