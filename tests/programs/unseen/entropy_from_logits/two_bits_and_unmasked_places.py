# expect: wrong
# mistake: The entropy is in bits, not in nats.
# mistake: per_token keeps the entropy of masked places, where it should be 0.
import math

import torch


def entropy_from_logits(logits, mask) -> tuple[torch.Tensor, torch.Tensor]:
    x = logits.float()
    if mask is None:
        mask = torch.ones(x.shape[:-1], dtype=torch.bool, device=x.device)
    x = torch.where(mask.unsqueeze(-1) | torch.isfinite(x), x, torch.zeros_like(x))
    log_p = torch.log_softmax(x, dim=-1)
    log_p = torch.where(torch.isneginf(x), torch.full_like(x, -1e9), log_p)
    per_token = -(log_p.exp() * log_p).sum(-1) / math.log(2.0)
    chosen = per_token[mask]
    return chosen.sum() / max(chosen.numel(), 1), per_token
