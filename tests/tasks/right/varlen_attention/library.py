import torch
import torch.nn.functional as F


def varlen_attention(q, k, v, mask, multiple=1):
    """Index with a boolean mask, and call PyTorch's attention for each sequence."""
    real = mask.bool()
    counts = real.sum(1).tolist()
    total = sum(counts)
    extra = (multiple - total % multiple) % multiple
    counts += [extra] if extra else []
    heads_first = [F.pad(x[real], (0, 0, 0, 0, 0, extra)).transpose(0, 1) for x in (q, k, v)]
    sequences = zip(*(x.split(counts, dim=1) for x in heads_first), strict=True)
    outputs = [F.scaled_dot_product_attention(*one, is_causal=True) for one in sequences if one[0].shape[1]]
    packed = torch.cat(outputs, dim=1).transpose(0, 1)
    out = torch.zeros_like(q)
    out[real] = packed[:total]
    cu_seqlens = torch.zeros(len(counts) + 1, dtype=torch.int32)
    torch.cumsum(torch.tensor(counts), dim=0, out=cu_seqlens[1:])
    return out, packed, torch.nonzero(real.reshape(-1)).squeeze(1), cu_seqlens, max(counts)
