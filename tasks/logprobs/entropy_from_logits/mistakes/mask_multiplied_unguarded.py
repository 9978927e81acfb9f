import torch


def entropy_from_logits(logits, mask):
    logp = torch.log_softmax(logits.float(), dim=-1)
    terms = logp.exp() * logp.masked_fill(logits == float("-inf"), 0.0)
    per_token = -terms.sum(dim=-1)
    if mask is None:
        return per_token.mean(), per_token
    per_token = per_token * mask
    return per_token.sum() / mask.sum(), per_token
