"""Every element of the result is one chain of roundings that only K and `block` determine."""

import torch


def batch_invariant_reduction(x, w, block):
    """Return the product [B, N] in float32, added block by block in a fixed order.

    Shapes: x [B, K]; w [K, N].
    Source: Thinking Machines Lab 2025, Defeating nondeterminism in LLM inference.
    """
    x, w = x.float(), w.float()
    out = x.new_zeros(len(x), w.shape[1])
    for start in range(0, len(w), block):
        # Neither `@` nor `sum` here: they choose an order by the shape of what they are given.
        partial = torch.zeros_like(out)
        for k in range(start, min(start + block, len(w))):
            partial = partial + x[:, k, None] * w[k]
        out = out + partial
    return out
