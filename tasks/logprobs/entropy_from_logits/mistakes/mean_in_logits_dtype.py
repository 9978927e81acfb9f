import torch


def entropy_from_logits(logits, mask):
    z = logits.float()
    if mask is None:
        mask = torch.ones(z.shape[:-1], dtype=torch.bool, device=z.device)
    z = z.masked_fill(~mask.unsqueeze(-1), 0.0)
    logp = torch.log_softmax(z, dim=-1)
    terms = logp.exp() * logp.masked_fill(z == float("-inf"), 0.0)
    per_token = (-terms.sum(dim=-1)).masked_fill(~mask, 0.0)
    return (per_token.sum() / mask.sum().clamp(min=1)).to(logits.dtype), per_token
