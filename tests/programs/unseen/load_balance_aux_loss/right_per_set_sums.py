# expect: right
import torch


def load_balance_aux_loss(logits, mask, k, per_sequence=False, global_counts=None, z_coef=0.0) -> torch.Tensor:
    B, T, E = logits.shape
    dt = logits.dtype
    safe = torch.where(mask.unsqueeze(-1), logits, torch.zeros((), dtype=dt, device=logits.device))
    m = mask.to(dt).unsqueeze(-1)

    probs = torch.softmax(safe, dim=-1) * m
    with torch.no_grad():
        chosen = torch.zeros_like(safe).scatter_(-1, safe.topk(k, dim=-1).indices, 1.0) * m
        n_seq = mask.sum(dim=1)
        n = n_seq.sum()

    if per_sequence:
        denom = n_seq.clamp(min=1).to(dt).unsqueeze(-1)
        f = chosen.sum(1) / (denom * k)
        P = probs.sum(1) / denom
        per_seq = E * (f * P).sum(-1)
        balance = per_seq.sum() / (n_seq > 0).sum().clamp(min=1)
        n_z = n
    elif global_counts is not None:
        total = global_counts.sum().clamp(min=1)
        f = (global_counts.double() / total).to(dt)
        n_z = total.double() / k
        balance = E * (f * (probs.sum((0, 1)) / n_z.to(dt))).sum()
    else:
        denom = n.clamp(min=1).to(dt)
        f = chosen.sum((0, 1)) / (denom * k)
        balance = E * (f * (probs.sum((0, 1)) / denom)).sum()
        n_z = n

    z = (torch.logsumexp(safe, dim=-1) ** 2 * mask.to(dt)).sum() / n_z.clamp(min=1).to(dt)
    return balance + z_coef * z
