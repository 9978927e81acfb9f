import torch


def batch_invariant_reduction(x, w, block):
    K = w.shape[0]
    blocks = (K + block - 1) // block
    pad = blocks * block - K
    x = torch.nn.functional.pad(x.to(torch.float32), (0, pad)).unflatten(1, (blocks, block))
    w = torch.nn.functional.pad(w.to(torch.float32), (0, 0, 0, pad)).unflatten(0, (blocks, block))
    terms = x[..., None] * w[None]  # [B, blocks, block, N]
    sums = terms[:, :, 0]
    for j in range(1, block):
        sums = sums + terms[:, :, j]
    out = sums[:, 0]
    for i in range(1, blocks):
        out = out + sums[:, i]
    return out
