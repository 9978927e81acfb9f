# expect: wrong
# mistake: The mean divides by the number of all places, masked ones included.
import torch


def entropy_from_logits(logits, mask) -> tuple[torch.Tensor, torch.Tensor]:
    logits = logits.float()
    if mask is not None:
        logits = logits.masked_fill(~mask.unsqueeze(-1), 0.0)
    dist_logp = logits.log_softmax(dim=-1)
    surprise = -dist_logp.masked_fill(logits == -torch.inf, 0.0)
    per_token = (dist_logp.exp() * surprise).sum(dim=-1)
    if mask is not None:
        per_token = torch.where(mask, per_token, torch.zeros_like(per_token))
    return per_token.mean(), per_token
