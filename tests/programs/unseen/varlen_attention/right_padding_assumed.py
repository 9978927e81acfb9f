# expect: wrong
# mistake: The real tokens of a row are taken to be its first mask.sum() positions, which is wrong for padding on the left or between real tokens.
import math

import torch


def varlen_attention(q, k, v, mask, multiple=1):
    B, S, H, D = q.shape
    lengths = mask.sum(dim=1).tolist()
    n = sum(lengths)
    extra = (multiple - n % multiple) % multiple

    starts = [0]
    for L in lengths:
        starts.append(starts[-1] + L)
    if extra > 0:
        starts.append(n + extra)

    indices = torch.cat([torch.arange(b * S, b * S + L) for b, L in enumerate(lengths)])

    outs = []
    out = torch.zeros(B, S, H, D, dtype=q.dtype)
    for b, L in enumerate(lengths):
        if L == 0:
            continue
        qb, kb, vb = q[b, :L], k[b, :L], v[b, :L]
        att = torch.einsum("qhd,khd->hqk", qb, kb) / math.sqrt(D)
        causal = torch.triu(torch.ones(L, L, dtype=torch.bool), diagonal=1)
        att = att.masked_fill(causal, float("-inf")).softmax(-1)
        ob = torch.einsum("hqk,khd->qhd", att, vb)
        outs.append(ob)
        out[b, :L] = ob
    if extra > 0:
        outs.append(torch.zeros(extra, H, D, dtype=q.dtype))

    packed = torch.cat(outs, dim=0)
    cu_seqlens = torch.tensor(starts, dtype=torch.int32)
    max_len = max(lengths + [extra])
    return out, packed, indices, cu_seqlens, max_len
