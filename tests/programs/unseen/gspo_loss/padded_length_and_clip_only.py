# expect: wrong
# mistake: The root is taken with the padded length T instead of with the number of unmasked tokens of the row.
# mistake: The loss uses the clipped ratio alone, without the minimum with the unclipped term.
import torch


def gspo_loss(logp, old_logp, adv, mask, eps_low=3e-4, eps_high=4e-4, token_variant=False) -> torch.Tensor:
    """Return GSPO's loss, a 0-dim tensor to minimise."""
    valid = mask.any(dim=-1)
    lp = torch.where(mask, logp, 0.0)
    old = torch.where(mask, old_logp.detach(), 0.0)
    ratio = (lp - old).mean(dim=-1).exp()
    adv = adv.detach()
    if token_variant:
        ratio = ratio.detach().unsqueeze(-1) * (lp - lp.detach()).exp()
        adv = torch.where(mask, adv if adv.dim() == 2 else adv.unsqueeze(-1), 0.0)
        loss = -adv * ratio.clamp(1 - eps_low, 1 + eps_high)
        loss = loss.sum(dim=-1) / mask.sum(dim=-1).clamp(min=1)
    else:
        adv = torch.where(valid, adv, 0.0)
        loss = -adv * ratio.clamp(1 - eps_low, 1 + eps_high)
    return loss.sum() / valid.sum().clamp(min=1)
