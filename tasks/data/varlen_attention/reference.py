"""Padding is never computed on: real tokens are gathered, each range attends to itself, and results are put back."""

from itertools import pairwise

import torch
from torch.nn import functional as F


def varlen_attention(q, k, v, mask, multiple=1):
    """Return the padded output, the packed output, the tokens' indices, the offsets, and the longest length.

    Shapes: q, k, v, out [B, S, H, D]; mask [B, S]; packed [T, H, D]; cu_seqlens [B + 1] or [B + 2].
    """
    indices = mask.flatten().nonzero().flatten()
    lengths = mask.sum(dim=1)
    extra = -len(indices) % multiple
    if extra:
        # The extra positions form a sequence of their own, so no real token attends to them.
        lengths = torch.cat([lengths, lengths.new_tensor([extra])])
    cu_seqlens = F.pad(lengths.cumsum(dim=0), (1, 0)).int()
    q_row, k_row, v_row = (F.pad(x.flatten(0, 1)[indices], (0, 0, 0, 0, 0, extra)) for x in (q, k, v))
    sequences = [slice(start, end) for start, end in pairwise(cu_seqlens.tolist())]
    packed = torch.cat([_causal(q_row[one], k_row[one], v_row[one]) for one in sequences])
    out = torch.zeros_like(q).flatten(0, 1).index_copy(0, indices, packed[: len(indices)])
    return out.view(q.shape), packed, indices, cu_seqlens, int(lengths.max())


def _causal(q, k, v):
    """Return causal attention within one sequence. Shapes: q, k, v [L, H, D]."""
    scores = torch.einsum("ihd,jhd->hij", q, k) / q.shape[-1] ** 0.5
    is_later = torch.ones_like(scores[0], dtype=torch.bool).triu(diagonal=1)
    return torch.einsum("hij,jhd->ihd", scores.masked_fill(is_later, float("-inf")).softmax(dim=-1), v)
