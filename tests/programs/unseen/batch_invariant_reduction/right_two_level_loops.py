# expect: right
import torch


def batch_invariant_reduction(x, w, block):
    x32 = x.to(torch.float32)
    w32 = w.to(torch.float32)
    n_rows, k_total = x32.shape
    out = None
    for start in range(0, k_total, block):
        part = None
        for k in range(start, min(start + block, k_total)):
            prod = x32[:, k].unsqueeze(1) * w32[k].unsqueeze(0)
            part = prod if part is None else part + prod
        out = part if out is None else out + part
    return out
