# expect: wrong
# mistake: Every product is added to one running total over all of K, so there are no separate block sums.
import torch


def batch_invariant_reduction(x, w, block):
    xf, wf = x.float(), w.float()
    K = xf.shape[1]
    acc = torch.zeros((xf.shape[0], wf.shape[1]), dtype=torch.float32, device=x.device)
    for b in range((K + block - 1) // block):
        lo = b * block
        hi = min(lo + block, K)
        for k in range(lo, hi):
            term = xf[:, k : k + 1] * wf[k : k + 1, :]
            acc = acc + term
    return acc
