import torch


def kv_bytes(L, n_kv, d_h, bytes, tokens, tp=1, mla=None):
    if mla is None:
        ranks = torch.arange(tp)
        heads = torch.arange(max(n_kv, 1))
        # rank r needs head h if their ranges of the [0, 1) interval overlap
        low, high = ranks * max(n_kv, 1), (ranks + 1) * max(n_kv, 1)
        overlap = (heads[None] * tp < high[:, None]) & ((heads[None] + 1) * tp > low[:, None])
        held = int(overlap.sum(1).max())
        row = torch.tensor([d_h, d_h], dtype=torch.float64) * held
    else:
        row = torch.tensor(mla, dtype=torch.float64)
    return (row.sum() * L * bytes * tokens).item()
