# expect: wrong
# mistake: cu_seqlens is int64 instead of int32, because torch.cumsum promotes int32 lengths to int64.
import torch


def varlen_attention(q, k, v, mask, multiple=1):
    B, S, H, D = q.shape
    lengths = mask.sum(dim=1).to(torch.int32)
    indices = torch.where(mask.reshape(-1) == 1)[0]
    num_real = indices.size(0)
    extra = -num_real % multiple
    if extra:
        lengths = torch.cat([lengths, lengths.new_full((1,), extra)])
    cu_seqlens = torch.cat([lengths.new_zeros(1), torch.cumsum(lengths, dim=0)])

    def gather(t):
        real = t.reshape(B * S, H, D)[indices]
        return torch.cat([real, real.new_zeros((extra, H, D))])

    pq, pk, pv = gather(q), gather(k), gather(v)
    total = num_real + extra

    pos = torch.arange(total)
    seg = torch.searchsorted(cu_seqlens[1:].contiguous(), pos, right=True)
    visible = (seg.unsqueeze(1) == seg.unsqueeze(0)) & (pos.unsqueeze(0) <= pos.unsqueeze(1))
    logits = torch.matmul(pq.transpose(0, 1), pk.permute(1, 2, 0)) / (D**0.5)
    weights = torch.softmax(logits.masked_fill(~visible, float("-inf")), dim=-1)
    packed = torch.matmul(weights, pv.transpose(0, 1)).transpose(0, 1)

    out = torch.zeros(B * S, H, D, dtype=q.dtype).index_add(0, indices, packed[:num_real])
    return out.view(B, S, H, D), packed, indices, cu_seqlens, int(lengths.max().item())
