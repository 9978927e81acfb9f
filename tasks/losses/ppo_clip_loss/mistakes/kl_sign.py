import torch


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    log_ratio = (logp - old_logp.detach()).masked_fill(~mask, 0.0)
    adv = adv.detach().masked_fill(~mask, 0.0)
    ratio = log_ratio.exp()
    plain = -ratio * adv
    clipped = -ratio.clamp(1 - eps_low, 1 + eps_high) * adv
    loss = torch.max(plain, clipped)
    if dual_c is not None:
        loss = torch.where(adv < 0, torch.min(loss, -dual_c * adv), loss)
    tokens = mask.sum().clamp(min=1)
    if reduction == "seq":
        counts = mask.sum(dim=1)
        total = (loss.sum(dim=1) / counts.clamp(min=1)).sum() / (counts > 0).sum().clamp(min=1)
    else:
        total = loss.sum() / tokens
    with torch.no_grad():
        clipfrac = (clipped > plain).to(loss.dtype).sum() / tokens
        approx_kl = log_ratio.sum() / tokens
    return total, clipfrac, approx_kl
