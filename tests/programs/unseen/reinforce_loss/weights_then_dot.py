# expect: right
import torch


def reinforce_loss(logp, adv, mask, reduction) -> torch.Tensor:
    if adv.dim() == 1:
        adv = adv.unsqueeze(1).expand(logp.shape)
    zero = logp.new_zeros(())
    adv = torch.where(mask, adv.detach().to(logp.dtype), zero)
    logp = torch.where(mask, logp, zero)

    lengths = mask.sum(dim=1, keepdim=True, dtype=logp.dtype)
    rows = (lengths > 0).sum(dtype=logp.dtype).clamp(min=1)
    if reduction == "token":
        weight = 1.0 / lengths.sum().clamp(min=1)
    elif reduction == "seq":
        weight = 1.0 / (lengths.clamp(min=1) * rows)
    elif reduction == "seq_sum":
        weight = 1.0 / rows
    else:
        raise ValueError(reduction)
    return -(logp * adv * weight).sum()
