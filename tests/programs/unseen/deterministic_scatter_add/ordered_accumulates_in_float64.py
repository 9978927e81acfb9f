# expect: wrong
# mistake: The ordered sums are accumulated in float64 and rounded to float32 once at the end, instead of being rounded to float32 after each addition.
import torch


def deterministic_scatter_add(src, index, ids, size, bits) -> tuple[torch.Tensor, torch.Tensor]:
    x = src.to(torch.float32).to(torch.float64)
    T, D = x.shape

    scaled = torch.round(x * (2**bits))
    largest = int(scaled.abs().max().item())
    if T * largest > (1 << 63) - 1:
        raise OverflowError("int64 accumulation could overflow")

    perm = torch.argsort(ids)
    acc = torch.zeros((size, D), dtype=torch.float64)
    for i in perm.tolist():
        acc[index[i]] += x[i]
    ordered = acc.to(torch.float32)

    acc_int = torch.zeros((size, D), dtype=torch.int64)
    acc_int.index_add_(0, index, scaled.to(torch.int64))
    fixed = (acc_int.to(torch.float64) / (2**bits)).to(torch.float32)
    return ordered, fixed
