import torch


def varlen_attention(q, k, v, mask, multiple=1) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor, int]:
    """Return (out, packed, indices, cu_seqlens, max_len).

    q, k, v: [B, S, H, D]; mask: [B, S], 1 at real tokens; out: [B, S, H, D]; packed: [T, H, D].
    """
    raise NotImplementedError
