# expect: wrong
# mistake: The extra positions are appended to the sequence of the last batch row instead of forming a sequence of their own.
import torch
import torch.nn.functional as F


def varlen_attention(q, k, v, mask, multiple=1) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor, int]:
    B, S, H, D = q.shape
    keep = mask.bool()
    indices = keep.flatten().nonzero().flatten()
    n_real = int(indices.shape[0])
    T = (n_real + multiple - 1) // multiple * multiple

    cu_seqlens = torch.zeros(B + 1, dtype=torch.int32)
    cu_seqlens[1:] = torch.cumsum(keep.sum(dim=1), dim=0).to(torch.int32)
    cu_seqlens[-1] = T
    max_len = int((cu_seqlens[1:] - cu_seqlens[:-1]).max())

    qp = torch.cat([q[keep], q.new_zeros(T - n_real, H, D)])
    kp = torch.cat([k[keep], k.new_zeros(T - n_real, H, D)])
    vp = torch.cat([v[keep], v.new_zeros(T - n_real, H, D)])

    chunks = []
    for i in range(B):
        s, e = cu_seqlens[i].item(), cu_seqlens[i + 1].item()
        if e > s:
            o = F.scaled_dot_product_attention(
                qp[s:e].permute(1, 0, 2)[None],
                kp[s:e].permute(1, 0, 2)[None],
                vp[s:e].permute(1, 0, 2)[None],
                is_causal=True,
            )[0]
            chunks.append(o.permute(1, 0, 2))
    packed = torch.cat(chunks, dim=0)

    out = torch.zeros_like(q)
    out[keep] = packed[:n_real]
    return out, packed, indices, cu_seqlens, max_len
