# expect: wrong
# mistake: When K is not a multiple of the block size, the leftover indices are added to the last full block instead of forming a shorter block of their own.
import torch


def batch_invariant_reduction(x, w, block):
    x = x.float()
    w = w.float()
    K = x.shape[1]
    n_blocks = max(K // block, 1)
    bounds = [(i * block, (i + 1) * block) for i in range(n_blocks)]
    bounds[-1] = (bounds[-1][0], K)

    sums = []
    for lo, hi in bounds:
        s = x[:, lo, None] * w[None, lo]
        for k in range(lo + 1, hi):
            s = s + x[:, k, None] * w[None, k]
        sums.append(s)

    out = sums[0]
    for s in sums[1:]:
        out = out + s
    return out
