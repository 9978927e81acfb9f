import torch


def load_balance_aux_loss(logits, mask, k, per_sequence=False, global_counts=None, z_coef=0.0):
    E = logits.shape[-1]
    m = mask.unsqueeze(-1)
    x = logits.masked_fill(~m, 0.0)
    top = torch.topk(x, k, dim=-1).indices
    hot = torch.nn.functional.one_hot(top, E).sum(-2).to(x.dtype) * m
    p = torch.softmax(x, -1) * m
    if per_sequence:
        n = mask.sum(1, keepdim=True).clamp(min=1)
        f = hot.sum(1) / (n * k)
        P = p.sum(1) / n
        rows = mask.any(1).sum().clamp(min=1)
        aux = E * (f * P).sum() / rows
        tokens = mask.sum().clamp(min=1)
    else:
        counts = hot.sum((0, 1))
        if global_counts is not None:
            counts = global_counts
        tokens = (counts.sum() / k).clamp(min=1)
        f = counts / (k * tokens)
        P = p.sum((0, 1)) / tokens
        aux = E * (f * P).sum()
    z = ((x ** 2).sum(-1) * mask).sum() / tokens
    return aux + z_coef * z
