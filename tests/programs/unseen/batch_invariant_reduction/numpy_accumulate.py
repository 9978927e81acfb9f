# expect: right
import numpy as np
import torch


def batch_invariant_reduction(x, w, block):
    a = x.detach().float().cpu().numpy()
    b = w.detach().float().cpu().numpy()
    products = a[:, :, None] * b[None, :, :]  # [B, K, N]
    # ufunc.accumulate goes strictly from left to right, unlike reduce, which may add in pairs
    sums = [
        np.add.accumulate(products[:, start : start + block], axis=1)[:, -1]
        for start in range(0, products.shape[1], block)
    ]
    out = np.add.accumulate(np.stack(sums, axis=1), axis=1)[:, -1]
    return torch.from_numpy(np.ascontiguousarray(out))
