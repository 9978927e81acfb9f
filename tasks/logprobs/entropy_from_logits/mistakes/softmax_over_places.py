import torch


def entropy_from_logits(logits, mask):
    z = logits.float()
    if mask is None:
        mask = torch.ones(z.shape[:-1], dtype=torch.bool, device=z.device)
    z = z.masked_fill(~mask.unsqueeze(-1), 0.0)
    dim = -2 if z.dim() > 1 else -1
    p = torch.softmax(z, dim=dim)
    logp = torch.log_softmax(z, dim=dim)
    plogp = torch.where(p > 0, p * logp, torch.zeros_like(p))
    per_token = -plogp.sum(-1).masked_fill(~mask, 0.0)
    return per_token.sum() / mask.sum().clamp(min=1), per_token
