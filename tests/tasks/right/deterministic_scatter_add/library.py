import torch


def deterministic_scatter_add(src, index, ids, size, bits):
    """Sort by (index, id), and add the first, second, ... row of every sum at once."""
    by_id = torch.argsort(ids)
    order = by_id[torch.argsort(index[by_id], stable=True)]
    values, places = src[order].float(), index[order]
    counts = torch.bincount(places, minlength=size)
    starts = counts.cumsum(0) - counts
    ordered = torch.zeros(size, src.shape[1])
    for step in range(int(counts.max())):
        active = (counts > step).nonzero().squeeze(1)
        ordered[active] = ordered[active] + values[starts[active] + step]

    integers = torch.round(src.float() * 2.0**bits)
    m = integers.abs().max().item()
    if m == float("inf") or len(src) * int(m) >= 2**63:
        raise OverflowError("an int64 sum might overflow")
    sums = torch.zeros(size, src.shape[1], dtype=torch.int64)
    sums.scatter_add_(0, index[:, None].expand_as(src), integers.to(torch.int64))
    return ordered, torch.ldexp(sums.double(), torch.tensor(-bits)).float()
