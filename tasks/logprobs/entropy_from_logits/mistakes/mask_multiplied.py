import torch


def entropy_from_logits(logits, mask):
    z = logits.float()
    logp = torch.log_softmax(z, dim=-1)
    safe = torch.where(torch.isinf(logp), torch.zeros_like(logp), logp)
    h = -(logp.exp() * safe).sum(-1)
    if mask is None:
        return h.mean(), h
    h = h * mask.float()
    return h.sum() / mask.float().sum().clamp(min=1), h
