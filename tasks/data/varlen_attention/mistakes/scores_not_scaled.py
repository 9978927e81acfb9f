import torch
from torch.nn import functional as F


def attend(q, k, v):
    scores = torch.einsum("ihd,jhd->hij", q, k)
    later = torch.ones(len(q), len(k), dtype=torch.bool).triu(1)
    return torch.einsum("hij,jhd->ihd", scores.masked_fill(later, -torch.inf).softmax(-1), v)


def varlen_attention(q, k, v, mask, multiple=1):
    B, S, H, D = q.shape
    indices = mask.reshape(-1).nonzero()[:, 0]
    lengths = mask.sum(1).tolist()
    extra = -len(indices) % multiple
    if extra:
        lengths.append(extra)
    cu_seqlens = F.pad(torch.tensor(lengths).cumsum(0), (1, 0)).int()
    rows = [F.pad(x.reshape(B * S, H, D)[indices], (0, 0, 0, 0, 0, extra)) for x in (q, k, v)]
    packed = torch.cat([attend(*parts) for parts in zip(*(row.split(lengths) for row in rows), strict=True)])
    out = torch.zeros(B * S, H, D)
    out[indices] = packed[: len(indices)]
    return out.view(B, S, H, D), packed, indices, cu_seqlens, max(lengths)
