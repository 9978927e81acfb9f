# expect: wrong
# mistake: The overflow bound is m times the largest number of rows that go to the same destination instead of m times T, so OverflowError is not raised in some cases where T * m is too large.
import torch


def deterministic_scatter_add(src, index, ids, size, bits):
    """Sum rows of src into size buckets, once in id order and once in fixed point."""
    x = src.float()
    D = x.size(1)

    order = torch.argsort(ids)
    ordered = torch.zeros(size, D, dtype=torch.float32)
    for row, dst in zip(x[order], index[order].tolist()):
        ordered[dst] += row

    q = torch.round(x.double() * 2.0**bits)
    m = int(q.abs().max())
    n_terms = int(torch.bincount(index, minlength=size).max())
    if m * n_terms > torch.iinfo(torch.int64).max:
        raise OverflowError("fixed-point sum may overflow")

    total = torch.zeros(size, D, dtype=torch.int64)
    total.index_add_(0, index, q.long())
    fixed = (total.double() * 2.0**-bits).float()
    return ordered, fixed
