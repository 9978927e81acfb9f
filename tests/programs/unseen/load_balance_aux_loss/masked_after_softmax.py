# expect: wrong
# mistake: Padding is replaced by zeros with torch.where only after the softmax and the logsumexp, so NaN logits at padding leave the loss right but make their gradient NaN instead of 0.
import torch


def load_balance_aux_loss(logits, mask, k, per_sequence=False, global_counts=None, z_coef=0.0) -> torch.Tensor:
    E = logits.size(-1)
    keep = mask.unsqueeze(-1)

    probs = torch.softmax(logits, dim=-1)
    probs = torch.where(keep, probs, torch.zeros_like(probs))
    log_z = torch.logsumexp(logits, dim=-1)
    log_z = torch.where(mask, log_z, torch.zeros_like(log_z))

    with torch.no_grad():
        ids = torch.nan_to_num(logits).topk(k, dim=-1).indices
        counts = torch.zeros_like(probs).scatter(-1, ids, 1.0)
        counts = torch.where(keep, counts, torch.zeros_like(counts))

    n = mask.sum().clamp(min=1)
    if global_counts is not None:
        n = (global_counts.sum() / k).clamp(min=1).to(logits.dtype)
        f = global_counts.to(logits.dtype) / global_counts.sum().clamp(min=1)
        aux = E * (f * probs.sum(dim=(0, 1)) / n).sum()
    elif per_sequence:
        n_b = mask.sum(1).clamp(min=1).unsqueeze(-1)
        f = counts.sum(1) / (k * n_b)
        aux_b = E * (f * probs.sum(1) / n_b).sum(-1)
        nonempty = mask.any(dim=1)
        aux = aux_b.sum() / nonempty.sum().clamp(min=1)
    else:
        f = counts.sum(dim=(0, 1)) / (k * n)
        aux = E * (f * probs.sum(dim=(0, 1)) / n).sum()

    return aux + z_coef * (log_z.pow(2).sum() / n)
