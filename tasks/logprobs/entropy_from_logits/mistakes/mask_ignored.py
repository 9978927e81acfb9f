import torch.nn.functional as F


def entropy_from_logits(logits, mask):
    logp = F.log_softmax(logits.float(), dim=-1)
    safe = logp.masked_fill(logp.isinf(), 0.0)
    per_token = -(logp.exp() * safe).sum(-1)
    return per_token.mean(), per_token
