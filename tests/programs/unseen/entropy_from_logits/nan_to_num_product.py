# expect: wrong
# mistake: The NaN of a forbidden word is replaced after the product only, so that the gradient of its row is NaN.
import torch
import torch.nn.functional as F


def entropy_from_logits(logits, mask) -> tuple[torch.Tensor, torch.Tensor]:
    logits = logits.float()
    if mask is None:
        mask = torch.ones(logits.shape[:-1], dtype=torch.bool, device=logits.device)
    logits = torch.where(mask.unsqueeze(-1), logits, torch.zeros_like(logits))
    p = F.softmax(logits, dim=-1)
    logp = F.log_softmax(logits, dim=-1)
    per_token = -torch.nan_to_num(p * logp, nan=0.0).sum(dim=-1)
    per_token = per_token.masked_fill(~mask, 0.0)
    return per_token.sum() / mask.sum().clamp(min=1), per_token
