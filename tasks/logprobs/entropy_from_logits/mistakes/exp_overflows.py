import torch


def entropy_from_logits(logits, mask):
    z = logits.float()
    if mask is None:
        mask = torch.ones(z.shape[:-1], dtype=torch.bool, device=z.device)
    z = z.masked_fill(~mask.unsqueeze(-1), 0.0)
    weights = torch.exp(z)
    total = weights.sum(-1)
    mean_z = (weights * z.masked_fill(z == float("-inf"), 0.0)).sum(-1) / total
    per_token = (torch.log(total) - mean_z).masked_fill(~mask, 0.0)
    return per_token.sum() / mask.sum().clamp(min=1), per_token
