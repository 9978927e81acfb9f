import torch


def entropy_from_logits(logits, mask):
    z = logits.float()
    if mask is None:
        mask = torch.ones(z.shape[:-1], dtype=torch.bool, device=z.device)
    z = z.masked_fill(~mask.unsqueeze(-1), 0.0)
    p = z.softmax(dim=-1)
    finite = z.masked_fill(z.isinf(), 0.0)
    ent = (torch.logsumexp(z, dim=-1) - (p * finite).sum(dim=-1)).masked_fill(~mask, 0.0)
    return ent.sum() / mask.sum().clamp(min=1), ent
