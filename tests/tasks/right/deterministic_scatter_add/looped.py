from fractions import Fraction

import torch


def deterministic_scatter_add(src, index, ids, size, bits):
    """Use exact fractions and Python's unlimited integers; only the float32 additions use tensors."""
    src = src.to(torch.float32)
    T, D = src.shape
    rows = sorted(range(T), key=lambda row: int(ids[row]))
    integers = [[round(Fraction(value) * 2**bits) for value in row] for row in src.tolist()]
    if T * max(abs(number) for row in integers for number in row) > 2**63 - 1:
        raise OverflowError
    totals = [[0] * D for _ in range(size)]
    ordered = [torch.zeros(D) for _ in range(size)]
    for row in rows:
        place = int(index[row])
        ordered[place] = torch.add(ordered[place], src[row])
        totals[place] = [a + b for a, b in zip(totals[place], integers[row], strict=True)]
    fixed = torch.tensor([[total / 2**bits for total in row] for row in totals], dtype=torch.float64)
    return torch.stack(ordered), fixed.to(torch.float32)
