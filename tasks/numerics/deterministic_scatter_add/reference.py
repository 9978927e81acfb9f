"""Float sums depend on their order, so one result fixes the order, and the other one adds integers instead."""

import torch

INT64_MAX = 2**63 - 1


def deterministic_scatter_add(src, index, ids, size, bits):
    """Return the sums of the rows with each index: in the order of the ids, and in fixed point.

    Shapes: src [T, D]; index, ids [T]; both results [size, D].
    Raises: OverflowError if T of the largest integers could overflow int64.
    """
    src = src.float()
    ordered = src.new_zeros(size, src.shape[1])
    for row in ids.argsort().tolist():
        ordered[index[row]] = ordered[index[row]] + src[row]

    # Multiplying by a power of two is exact, so only `round` changes a value.
    scaled = (src.double() * 2.0**bits).round()
    largest = int(scaled.abs().max())
    if len(src) * largest > INT64_MAX:
        raise OverflowError(f"{len(src)} integers of up to {largest} could overflow int64")
    # Integer addition is associative, so the order does not matter here, even with atomic adds.
    sums = torch.zeros(size, src.shape[1], dtype=torch.int64).index_add(0, index, scaled.long())
    return ordered, (sums.double() / 2.0**bits).float()
