import torch
from torch.distributions import Categorical


def entropy_from_logits(logits, mask):
    scores = logits.float()
    if mask is None:
        mask = torch.full(logits.shape[:-1], True, device=logits.device)
    # Categorical raises minus infinity to the lowest finite number itself.
    inside = Categorical(logits=scores[mask], validate_args=False).entropy()
    per_token = torch.zeros(mask.shape, device=logits.device).masked_scatter(mask, inside)
    return inside.sum() / max(inside.numel(), 1), per_token
