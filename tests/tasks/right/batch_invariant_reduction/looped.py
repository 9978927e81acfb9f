import torch


def batch_invariant_reduction(x, w, block):
    x = x.float()
    w = w.float()
    B, K = x.shape
    N = w.shape[1]
    out = torch.empty(B, N, device=x.device)
    for b in range(B):
        total = None
        k = 0
        while k < K:
            part = x[b, k] * w[k]
            end = min(k + block, K)
            k += 1
            while k < end:
                part = part + x[b, k] * w[k]
                k += 1
            total = part if total is None else total + part
        out[b] = total
    return out
