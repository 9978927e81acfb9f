# expect: right
import torch


def _position_in_group(sorted_index, size):
    """For rows that are sorted by id: how many earlier rows have the same index."""
    by_group = torch.argsort(sorted_index, stable=True)
    counts = torch.bincount(sorted_index, minlength=size)
    starts = torch.cumsum(counts, 0) - counts
    k = torch.arange(len(sorted_index)) - starts[sorted_index[by_group]]
    out = torch.empty_like(sorted_index)
    out[by_group] = k
    return out


def deterministic_scatter_add(src, index, ids, size, bits):
    order = ids.sort().indices
    x = src[order].float()
    idx = index[order]
    n, width = x.shape
    scale = 2.0**bits

    # a power of two changes only the exponent, so this product is exact (or infinite)
    q = (x * scale).round()
    peak = q.abs().max().item()
    if peak == float("inf") or n * int(peak) > 2**63 - 1:
        raise OverflowError("fixed-point sums may overflow int64")

    ordered = x.new_zeros(size, width)
    k = _position_in_group(idx, size)
    for step in range(int(k.max()) + 1):
        sel = k == step
        ordered[idx[sel]] += x[sel]

    sums = torch.zeros(size, width, dtype=torch.int64)
    sums.scatter_add_(0, idx[:, None].expand(-1, width), q.long())
    # int64 -> float32 rounds once; the division by a power of two is exact
    return ordered, sums.float() / scale
