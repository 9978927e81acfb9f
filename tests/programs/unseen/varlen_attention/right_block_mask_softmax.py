# expect: right
import torch


def varlen_attention(q, k, v, mask, multiple=1):
    b, s, h, d = q.shape
    real = mask.bool()
    indices = torch.arange(b * s)[real.flatten()]
    seqlens = real.sum(1)
    total = int(seqlens.sum())
    tail = (multiple - total % multiple) % multiple
    if tail > 0:
        seqlens = torch.cat([seqlens, seqlens.new_tensor([tail])])
    cu_seqlens = torch.zeros(len(seqlens) + 1, dtype=torch.int32)
    cu_seqlens[1:] = seqlens.cumsum(0)

    rows = []
    for t in (q, k, v):
        rows.append(torch.cat([t[real], t.new_zeros(tail, h, d)]))
    Q, K, V = rows

    seq_id = torch.repeat_interleave(torch.arange(len(seqlens)), seqlens)
    T = total + tail
    allowed = (seq_id[:, None] == seq_id[None, :]) & torch.ones(T, T, dtype=torch.bool).tril()
    scores = torch.einsum("ihd,jhd->hij", Q, K) / d**0.5
    probs = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
    packed = torch.einsum("hij,jhd->ihd", probs, V)

    out = torch.zeros_like(q)
    out[real] = packed[:total]
    return out, packed, indices, cu_seqlens, int(seqlens.max())
