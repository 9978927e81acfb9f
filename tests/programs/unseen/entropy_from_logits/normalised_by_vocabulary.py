# expect: wrong
# mistake: The entropy is divided by its largest value, the logarithm of the vocabulary's size, and so is not in nats.
import math

import torch


def entropy_from_logits(logits, mask) -> tuple[torch.Tensor, torch.Tensor]:
    x = logits.float()
    keep = torch.ones(x.shape[:-1], dtype=torch.bool) if mask is None else mask
    x = torch.where(keep.unsqueeze(-1), x, 0.0)
    allowed = x > float("-inf")
    logp = x.log_softmax(dim=-1)
    plogp = torch.exp(logp) * torch.where(allowed, logp, 0.0)
    size = max(x.shape[-1], 2)
    per_token = -plogp.sum(dim=-1) / math.log(size)
    per_token = torch.where(keep, per_token, 0.0)
    return per_token.sum() / keep.sum().clamp(min=1), per_token
