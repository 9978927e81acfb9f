import torch


def entropy_from_logits(logits, mask):
    z = logits.float()
    if mask is None:
        mask = torch.ones(z.shape[:-1], dtype=torch.bool, device=z.device)
    z = z.masked_fill(~mask.unsqueeze(-1), 0.0)
    logp = torch.log_softmax(z, dim=-1)
    plogp = logp.exp() * logp.masked_fill(logp == float("-inf"), 0.0)
    per_token = -plogp.sum(-1).masked_fill(~mask, 0.0)
    if mask.dim() < 2:
        return per_token.sum() / mask.sum().clamp(min=1), per_token
    counts = mask.sum(-1)
    rows = per_token.sum(-1) / counts.clamp(min=1)
    return rows.sum() / (counts > 0).sum().clamp(min=1), per_token
