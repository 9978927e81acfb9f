"""Each element of the result is rounded in a sequence of additions that only K and `block` determine."""

import torch


def batch_invariant_reduction(x, w, block):
    """Return the product [B, N] in float32, summed block by block in a fixed order.

    Shapes: x [B, K]; w [K, N].
    Source: Thinking Machines Lab 2025, Defeating nondeterminism in LLM inference.
    """
    x, w = x.float(), w.float()
    out = x.new_zeros(len(x), w.shape[1])
    for start in range(0, len(w), block):
        # Neither `@` nor `sum` here: their order of additions depends on the shape of the input.
        partial = torch.zeros_like(out)
        for k in range(start, min(start + block, len(w))):
            partial = partial + x[:, k, None] * w[k]
        out = out + partial
    return out
