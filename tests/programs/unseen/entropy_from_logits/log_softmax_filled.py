# expect: right
import torch
import torch.nn.functional as F


def entropy_from_logits(logits, mask) -> tuple[torch.Tensor, torch.Tensor]:
    x = logits.float()
    if mask is None:
        mask = torch.ones(x.shape[:-1], dtype=torch.bool, device=x.device)
    x = torch.where(mask.unsqueeze(-1), x, torch.zeros_like(x))
    forbidden = torch.isneginf(x)
    log_p = F.log_softmax(x, dim=-1)
    summands = log_p.exp() * log_p.masked_fill(forbidden, 0.0)
    per_token = -summands.sum(dim=-1)
    per_token = torch.where(mask, per_token, torch.zeros_like(per_token))
    mean = per_token.sum() / mask.sum().clamp(min=1)
    return mean, per_token
