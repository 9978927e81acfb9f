# expect: wrong
# mistake: Batch rows without real tokens are left out of cu_seqlens instead of being kept as empty sequences.
import torch
import torch.nn.functional as F


def _attend(q, k, v):
    L, _, D = q.shape
    scores = torch.einsum("qhd,khd->hqk", q, k) * D**-0.5
    keep = torch.ones(L, L, dtype=torch.bool, device=q.device).tril()
    probs = torch.softmax(scores.masked_fill(~keep, float("-inf")), dim=-1)
    return torch.einsum("hqk,khd->qhd", probs, v)


def varlen_attention(q, k, v, mask, multiple=1):
    B, S, H, D = q.shape
    flat_mask = mask.reshape(-1).bool()
    indices = flat_mask.nonzero().squeeze(1)
    n = indices.numel()
    extra = -n % multiple

    q_p, k_p, v_p = (F.pad(t.reshape(-1, H, D)[indices], (0, 0, 0, 0, 0, extra)) for t in (q, k, v))

    row_of_token = torch.div(indices, S, rounding_mode="floor")
    _, lengths = torch.unique_consecutive(row_of_token, return_counts=True)
    sizes = lengths.tolist() + ([extra] if extra else [])

    packed = torch.cat(
        [_attend(a, b, c) for a, b, c in zip(q_p.split(sizes), k_p.split(sizes), v_p.split(sizes))]
    )
    cu_seqlens = torch.tensor([0] + sizes).cumsum(0).to(torch.int32)

    out = torch.zeros(B * S, H, D, dtype=packed.dtype, device=packed.device)
    out[indices] = packed[:n]
    return out.reshape(B, S, H, D), packed, indices, cu_seqlens, max(sizes)
