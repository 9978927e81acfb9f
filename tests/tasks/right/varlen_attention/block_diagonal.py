import torch


def varlen_attention(q, k, v, mask, multiple=1):
    """Use one block-diagonal causal mask for the whole packed row, and a one-hot matrix for packing and unpacking."""
    B, S, H, D = q.shape
    indices = torch.arange(B * S)[mask.reshape(-1) == 1]
    total = indices.numel()
    length = -(-total // multiple) * multiple
    gather = torch.zeros(length, B * S)
    gather[torch.arange(total), indices] = 1.0
    segment = torch.cat([indices // S, torch.full((length - total,), B)])
    Q, K, V = (torch.tensordot(gather, x.reshape(B * S, H, D), dims=1).permute(1, 0, 2) for x in (q, k, v))
    position = torch.arange(length)
    allowed = (segment[:, None] == segment) & (position[:, None] >= position)
    scores = torch.where(allowed, Q @ K.mT * D**-0.5, -torch.inf)
    packed = (scores.softmax(-1) @ V).permute(1, 0, 2)
    out = torch.tensordot(gather.T, packed, dims=1).reshape(B, S, H, D)
    sequences = B + (length > total)
    counts = torch.bincount(segment, minlength=sequences)
    ends = torch.cumsum(counts, 0, dtype=torch.int32)
    return out, packed, indices, torch.cat([ends.new_zeros(1), ends]), counts.max().item()
