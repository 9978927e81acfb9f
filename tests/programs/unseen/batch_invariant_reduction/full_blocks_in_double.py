# expect: wrong
# mistake: the sums within a block are taken in float64 and rounded only once
# mistake: a shorter last block is left out
import torch


def batch_invariant_reduction(x, w, block):
    K = x.shape[1]
    block = min(block, K)
    a = x.float()[:, :, None] * w.float()[None]
    out = torch.zeros(x.shape[0], w.shape[1])
    for i in range(K // block):
        inside = a[:, i * block : (i + 1) * block].double().sum(dim=1).float()
        out = inside if i == 0 else out + inside
    return out
