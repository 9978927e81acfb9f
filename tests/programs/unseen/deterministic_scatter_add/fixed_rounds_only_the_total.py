# expect: wrong
# mistake: The scaled elements are added exactly as fractions and only each total is rounded to an integer, instead of each element before the addition.
from fractions import Fraction

import torch


def deterministic_scatter_add(src, index, ids, size, bits):
    rows = src.float()
    T, D = rows.shape
    scale = 2**bits

    values = [[Fraction(v) * scale for v in row] for row in rows.tolist()]
    m = max(abs(round(v)) for row in values for v in row)
    if T * m > 2**63 - 1:
        raise OverflowError("sum may exceed the int64 range")

    ordered = torch.zeros(size, D)
    totals = [[Fraction(0)] * D for _ in range(size)]
    for i in torch.argsort(ids).tolist():
        dst = index[i].item()
        ordered[dst] += rows[i]
        for d in range(D):
            totals[dst][d] += values[i][d]

    as_int = torch.tensor([[round(v) for v in row] for row in totals], dtype=torch.int64)
    fixed = (as_int.double() / scale).float()
    return ordered, fixed
