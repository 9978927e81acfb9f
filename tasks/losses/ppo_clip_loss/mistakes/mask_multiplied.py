import torch


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    log_ratio = logp - old_logp.detach()
    adv = adv.detach()
    ratio = torch.exp(log_ratio)
    m = mask.to(logp.dtype)

    loss_free = -ratio * adv
    loss_clip = -torch.clamp(ratio, 1 - eps_low, 1 + eps_high) * adv
    loss = torch.max(loss_free, loss_clip)

    if dual_c is not None:
        loss = torch.where(adv < 0, torch.min(loss, -dual_c * adv), loss)

    def masked_mean(x):
        return (x * m).sum() / m.sum().clamp(min=1)

    if reduction == "seq":
        per_row = (loss * m).sum(1) / m.sum(1).clamp(min=1)
        total = per_row.sum() / mask.any(1).sum().clamp(min=1)
    else:
        total = masked_mean(loss)
    with torch.no_grad():
        clipfrac = masked_mean((loss_clip > loss_free).to(logp.dtype))
        approx_kl = masked_mean((ratio - 1) - log_ratio)
    return total, clipfrac, approx_kl
