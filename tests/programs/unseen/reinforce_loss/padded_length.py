# expect: wrong
# mistake: with "seq" the sum of each row is divided by the padded length T and not by its number of unmasked tokens
import torch


def reinforce_loss(logp, adv, mask, reduction) -> torch.Tensor:
    if adv.dim() == 1:
        adv = adv.reshape(-1, 1)
    adv = adv.detach().expand(logp.shape)
    contribution = -torch.where(mask, logp, torch.zeros_like(logp)) * torch.where(mask, adv, torch.zeros_like(adv))
    has_tokens = mask.any(dim=1)
    rows = has_tokens.sum().clamp(min=1)
    if reduction == "token":
        return contribution.sum() / mask.sum().clamp(min=1)
    if reduction == "seq":
        return contribution.mean(dim=1).sum() / rows
    return contribution.sum(dim=1).sum() / rows
