# expect: wrong
# mistake: The ratio of a row is the arithmetic mean of the ratios of its tokens instead of their geometric mean.
import torch


def gspo_loss(logp, old_logp, adv, mask, eps_low=3e-4, eps_high=4e-4, token_variant=False) -> torch.Tensor:
    """Return GSPO's loss, a 0-dim tensor to minimise."""
    old_logp, adv = old_logp.detach(), adv.detach()
    zero = logp.new_zeros(())
    lp = torch.where(mask, logp, zero)
    log_ratio = lp - torch.where(mask, old_logp, zero)
    lengths = mask.sum(-1).clamp(min=1)
    valid = mask.any(-1)
    token_ratio = torch.where(mask, log_ratio.exp(), zero)
    seq_ratio = token_ratio.sum(-1) / lengths
    if token_variant:
        ratio = seq_ratio.detach()[:, None] * torch.exp(lp - lp.detach())
        a = adv if adv.dim() == 2 else adv[:, None]
        a = torch.where(mask, a, zero)
        loss = torch.max(-a * ratio, -a * ratio.clamp(1 - eps_low, 1 + eps_high))
        loss = torch.where(mask, loss, zero).sum(-1) / lengths
    else:
        a = torch.where(valid, adv, zero)
        loss = torch.max(-a * seq_ratio, -a * seq_ratio.clamp(1 - eps_low, 1 + eps_high))
    return torch.where(valid, loss, zero).sum() / valid.sum().clamp(min=1)
