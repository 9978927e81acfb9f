# expect: wrong
# mistake: In the token variant the row's ratio is not detached, so a token's loss has a derivative by the other tokens of the row as well and its own is too large.
import torch


def gspo_loss(logp, old_logp, adv, mask, eps_low=3e-4, eps_high=4e-4, token_variant=False) -> torch.Tensor:
    """Return GSPO's loss, a 0-dim tensor to minimise."""
    keep = mask.any(dim=1)
    if not keep.any():
        return torch.where(mask, logp, torch.zeros_like(logp)).sum()
    logp, old_logp, adv, mask = logp[keep], old_logp[keep].detach(), adv[keep].detach(), mask[keep]
    logp = logp.masked_fill(~mask, 0.0)
    old_logp = old_logp.masked_fill(~mask, 0.0)
    lengths = mask.sum(dim=1)
    seq_log_ratio = (logp - old_logp).sum(dim=1) / lengths

    if token_variant:
        log_weights = logp - logp.detach() + seq_log_ratio.unsqueeze(1)
        if adv.dim() == 1:
            adv = adv.unsqueeze(1)
        adv = adv.expand_as(mask).masked_fill(~mask, 0.0)
    else:
        log_weights = seq_log_ratio
    weights = torch.exp(log_weights)
    loss = -torch.min(weights * adv, torch.clamp(weights, 1 - eps_low, 1 + eps_high) * adv)
    if token_variant:
        loss = (loss * mask).sum(dim=1) / lengths
    return loss.mean()
