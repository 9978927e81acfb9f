import torch


def deterministic_scatter_add(src, index, ids, size, bits):
    T, D = src.shape
    order = torch.argsort(ids)
    src, index = src[order].float(), index[order]
    by_index = torch.argsort(index, stable=True)
    totals = torch.cat([torch.zeros(1, D), src[by_index].cumsum(0)])
    ends = torch.bincount(index, minlength=size).cumsum(0)
    starts = torch.cat([torch.zeros(1, dtype=torch.int64), ends[:-1]])
    ordered = totals[ends] - totals[starts]
    integers = torch.round(src.double() * 2**bits)
    if T * int(integers.abs().max()) > 2**63 - 1:
        raise OverflowError("the sums could overflow")
    sums = torch.zeros(size, D, dtype=torch.int64)
    for row, place in zip(integers.long(), index.tolist(), strict=True):
        sums[place] += row
    fixed = (sums.double() / 2**bits).float()
    return ordered, fixed
