import torch
import torch.nn.functional as F


def load_balance_aux_loss(logits, mask, k, per_sequence=False, global_counts=None, z_coef=0.0):
    # every real token gets a weight; the loss is a weighted sum over tokens
    x = logits.masked_fill(mask.logical_not()[..., None], 0.0)
    w = mask.to(x.dtype)
    with torch.no_grad():
        threshold = x.topk(k, dim=-1).values[..., -1:]
        picks = (x >= threshold).to(x.dtype) * w[..., None]
        if per_sequence:
            per_row = w.sum(1)
            f = picks.sum(1) / (k * per_row.clamp(min=1))[:, None]
            weight = w / per_row.clamp(min=1)[:, None] / (per_row > 0).sum().clamp(min=1)
            z_weight = w / w.sum().clamp(min=1)
        else:
            counts = picks.sum(dim=1).sum(dim=0) if global_counts is None else global_counts.to(x.dtype)
            total = (counts.sum() / k).clamp(min=1)
            f = (counts / (k * total)).expand(len(x), -1)
            weight = z_weight = w / total
    aux = x.size(-1) * torch.einsum("bt,be,bte->", weight, f, F.softmax(x, dim=-1))
    log_z = x.logsumexp(-1)
    return aux + z_coef * (z_weight * log_z * log_z).sum()
