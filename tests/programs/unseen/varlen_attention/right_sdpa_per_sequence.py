# expect: right
import torch
import torch.nn.functional as F


def varlen_attention(q, k, v, mask, multiple=1) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor, int]:
    """Return (out, packed, indices, cu_seqlens, max_len)."""
    B, S, H, D = q.shape
    indices = mask.reshape(-1).nonzero(as_tuple=True)[0]
    n = indices.numel()
    extra = -n % multiple

    lengths = mask.sum(dim=1).tolist()
    if extra:
        lengths.append(extra)
    bounds = [0]
    for length in lengths:
        bounds.append(bounds[-1] + length)
    cu_seqlens = torch.tensor(bounds, dtype=torch.int32, device=q.device)

    def pack(t):
        return F.pad(t.reshape(B * S, H, D)[indices], (0, 0, 0, 0, 0, extra))

    pq, pk, pv = pack(q), pack(k), pack(v)
    parts = []
    for a, b in zip(bounds[:-1], bounds[1:]):
        if a == b:
            continue
        qs, ks, vs = (t[a:b].transpose(0, 1).unsqueeze(0) for t in (pq, pk, pv))
        o = F.scaled_dot_product_attention(qs, ks, vs, is_causal=True)
        parts.append(o.squeeze(0).transpose(0, 1))
    packed = torch.cat(parts)

    out = torch.zeros(B * S, H, D, dtype=q.dtype, device=q.device)
    out = out.index_copy(0, indices, packed[:n]).view(B, S, H, D)
    return out, packed, indices, cu_seqlens, max(lengths)
