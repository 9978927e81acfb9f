# expect: wrong
# mistake: Attention is causal over the whole packed row, so tokens also attend to all sequences before their own.
import torch
import torch.nn.functional as F


def varlen_attention(q, k, v, mask, multiple=1) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor, int]:
    B, S, H, D = q.shape
    seqlens = mask.sum(dim=-1, dtype=torch.int32)
    indices = torch.nonzero(mask.flatten()).flatten()
    n = indices.numel()
    pad = (-n) % multiple
    if pad:
        seqlens = torch.cat([seqlens, torch.tensor([pad], dtype=torch.int32)])
    cu_seqlens = F.pad(torch.cumsum(seqlens, dim=0, dtype=torch.int32), (1, 0))
    max_len = seqlens.max().item()

    def unpad(t):
        t = t.flatten(0, 1).index_select(0, indices)
        return torch.cat([t, t.new_zeros(pad, H, D)], dim=0).transpose(0, 1)

    packed = F.scaled_dot_product_attention(
        unpad(q).unsqueeze(0), unpad(k).unsqueeze(0), unpad(v).unsqueeze(0), is_causal=True
    )
    packed = packed.squeeze(0).transpose(0, 1).contiguous()

    out = q.new_zeros(B * S, H, D).index_put((indices,), packed[:n])
    return out.view(B, S, H, D), packed, indices, cu_seqlens, max_len
