# expect: wrong
# mistake: Two mistakes: the rows are taken in the order given by the ranks of the ids (argsort of argsort) instead of the argsort, and ties are rounded up with floor(v + 0.5) instead of to the even integer.
import torch


def deterministic_scatter_add(src, index, ids, size, bits):
    x = src.float()
    T, D = x.shape

    rank = torch.argsort(torch.argsort(ids))
    xs, idx = x[rank], index[rank]

    ordered = torch.zeros(size, D)
    for t in range(T):
        ordered[idx[t]] += xs[t]

    scale = 1 << bits
    q = torch.floor(x.double() * scale + 0.5)
    m = int(q.abs().max().item())
    if T * m > 2**63 - 1:
        raise OverflowError(f"T * m = {T * m} does not fit int64")

    acc = torch.zeros(size, D, dtype=torch.int64)
    acc.scatter_add_(0, index.unsqueeze(1).expand(T, D), q.to(torch.int64))
    fixed = (acc.double() / scale).float()
    return ordered, fixed
