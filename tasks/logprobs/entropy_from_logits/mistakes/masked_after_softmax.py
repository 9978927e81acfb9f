import torch


def entropy_from_logits(logits, mask):
    z = logits.float()
    logp = torch.log_softmax(z, dim=-1)
    safe = logp.masked_fill(logp == float("-inf"), 0.0)
    h = -(logp.exp() * safe).sum(-1)
    if mask is None:
        return h.mean(), h
    h = torch.where(mask, h, torch.zeros_like(h))
    return h.sum() / mask.sum().clamp(min=1), h
