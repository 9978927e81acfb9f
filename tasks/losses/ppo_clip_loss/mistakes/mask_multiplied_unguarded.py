import torch


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    log_ratio = logp - old_logp.detach()
    adv = adv.detach()
    ratio = log_ratio.exp()
    plain = -ratio * adv
    clipped = -ratio.clamp(1 - eps_low, 1 + eps_high) * adv
    loss = torch.max(plain, clipped)
    if dual_c is not None:
        loss = torch.where(adv < 0, torch.min(loss, -dual_c * adv), loss)
    m = mask.to(loss.dtype)
    if reduction == "seq":
        total = ((loss * m).sum(dim=1) / m.sum(dim=1)).mean()
    else:
        total = (loss * m).sum() / m.sum()
    with torch.no_grad():
        clipfrac = ((clipped > plain) * m).sum() / m.sum()
        approx_kl = ((ratio - 1 - log_ratio) * m).sum() / m.sum()
    return total, clipfrac, approx_kl
