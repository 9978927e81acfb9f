import torch


def deterministic_scatter_add(src, index, ids, size, bits):
    T, D = src.shape
    size = int(index.max()) + 1
    order = torch.argsort(ids)
    src, index = src[order].float(), index[order]
    ordered = torch.zeros(size, D)
    for row, place in zip(src, index.tolist(), strict=True):
        ordered[place] += row
    integers = torch.round(src.double() * 2**bits)
    if T * int(integers.abs().max()) > 2**63 - 1:
        raise OverflowError("the sums could overflow")
    sums = torch.zeros(size, D, dtype=torch.int64)
    for row, place in zip(integers.long(), index.tolist(), strict=True):
        sums[place] += row
    fixed = (sums.double() / 2**bits).float()
    return ordered, fixed
