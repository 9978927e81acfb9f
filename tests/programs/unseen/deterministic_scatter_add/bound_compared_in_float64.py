# expect: wrong
# mistake: T * m is compared with 2**63 - 1 in float64, where 2**63 - 1 becomes 2**63, so T * m equal to 2**63 does not raise OverflowError.
import torch


def deterministic_scatter_add(src, index, ids, size, bits):
    vals = src.to(torch.float32)
    num_rows, dim = vals.shape
    scale = float(2**bits)

    ints = torch.round(vals.to(torch.float64) * scale)
    max_abs = ints.abs().max()
    if num_rows * max_abs > float(2**63 - 1):
        raise OverflowError("possible int64 overflow in fixed-point accumulation")
    ints = ints.to(torch.int64)

    order = torch.argsort(ids)
    ordered = torch.zeros(size, dim, dtype=torch.float32)
    summed = torch.zeros(size, dim, dtype=torch.int64)
    for i in order:
        j = index[i]
        ordered[j] = ordered[j] + vals[i]
        summed[j] = summed[j] + ints[i]

    return ordered, (summed.to(torch.float64) / scale).to(torch.float32)
