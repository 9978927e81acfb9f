# expect: right
import torch


def deterministic_scatter_add(src, index, ids, size, bits) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (ordered, fixed), both [size, D] in float32."""
    rows = src.detach().to(torch.float32)
    T, D = rows.shape

    ints = torch.round(rows.to(torch.float64) * float(2**bits))
    m = int(ints.abs().max().item())
    if T * m > 2**63 - 1:
        raise OverflowError(f"a sum of {T} integers of up to {m} may not fit int64")

    ordered = torch.zeros(size, D, dtype=torch.float32)
    for i in torch.argsort(ids).tolist():
        r = int(index[i])
        ordered[r] = ordered[r] + rows[i]

    total = torch.zeros(size, D, dtype=torch.int64)
    total.index_add_(0, index, ints.to(torch.int64))
    fixed = (total.to(torch.float64) / float(2**bits)).to(torch.float32)
    return ordered, fixed
