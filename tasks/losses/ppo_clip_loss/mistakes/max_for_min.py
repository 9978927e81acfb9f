import torch


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    log_ratio = (logp - old_logp.detach()).masked_fill(~mask, 0.0)
    adv = adv.detach().masked_fill(~mask, 0.0)
    ratio = torch.exp(log_ratio)

    surr1 = ratio * adv
    surr2 = torch.clamp(ratio, 1 - eps_low, 1 + eps_high) * adv
    loss = -torch.max(surr1, surr2)
    if dual_c is not None:
        loss = torch.where(adv < 0, torch.min(loss, -dual_c * adv), loss)

    n = mask.sum().clamp(min=1)
    if reduction == "seq":
        per_row = loss.sum(1) / mask.sum(1).clamp(min=1)
        total = per_row.sum() / mask.any(1).sum().clamp(min=1)
    else:
        total = loss.sum() / n

    with torch.no_grad():
        clipfrac = (surr2 < surr1).to(logp.dtype).sum() / n
        approx_kl = ((ratio - 1) - log_ratio).sum() / n
    return total, clipfrac, approx_kl
