# expect: wrong
# mistake: The sum inside each block is left to torch's matmul of the two slices, so the products are not rounded one by one and not added in index order.
import torch


def batch_invariant_reduction(x, w, block):
    x = x.float()
    w = w.float()
    B, K = x.shape
    N = w.shape[1]
    out = torch.zeros(B, N, dtype=torch.float32, device=x.device)
    # fixed split along K, so the split does not depend on the batch
    for s in range(0, K, block):
        e = min(s + block, K)
        out = out + x[:, s:e] @ w[s:e]
    return out
