# expect: wrong
# mistake: With per_sequence, the sum of the sequences' losses is divided by B, so sequences that consist of padding only lower the mean instead of being left out.
import torch


def load_balance_aux_loss(logits, mask, k, per_sequence=False, global_counts=None, z_coef=0.0) -> torch.Tensor:
    B, T, E = logits.shape
    dtype = logits.dtype
    x = logits.masked_fill(~mask.unsqueeze(-1), 0)
    valid = mask.unsqueeze(-1).to(dtype)
    p = x.softmax(-1) * valid
    sel = torch.zeros_like(x.detach())
    sel.scatter_(-1, torch.topk(x.detach(), k, dim=-1)[1], 1)
    sel = sel * valid

    n_local = mask.sum()
    n_z = n_local
    if per_sequence:
        tokens = mask.sum(1, keepdim=True).clamp(min=1)
        f = sel.sum(1) / (tokens * k)
        P = p.sum(1) / tokens
        loss = (E * (f * P).sum(-1)).mean()
    elif global_counts is not None:
        n_z = global_counts.sum() / k
        f = global_counts.to(dtype) / global_counts.sum().clamp(min=1)
        P = p.sum((0, 1)) / n_z.clamp(min=1)
        loss = E * torch.sum(f * P)
    else:
        tokens = n_local.clamp(min=1)
        f = sel.sum((0, 1)) / (tokens * k)
        P = p.sum((0, 1)) / tokens
        loss = E * torch.sum(f * P)

    lse2 = torch.logsumexp(x, -1) ** 2
    z = (lse2 * mask).sum() / n_z.clamp(min=1)
    return (loss + z_coef * z).to(dtype)
