# expect: right
import torch


def batch_invariant_reduction(x, w, block):
    """Return x @ w as float32 [B, N], added up block by block in ascending order."""
    x, w = x.to(torch.float32), w.to(torch.float32)
    K = x.shape[1]

    def block_sum(start):
        total = x[:, start, None] * w[start]
        for k in range(start + 1, min(start + block, K)):
            total = total + x[:, k, None] * w[k]
        return total

    out = block_sum(0)
    for start in range(block, K, block):
        out = out + block_sum(start)
    return out
