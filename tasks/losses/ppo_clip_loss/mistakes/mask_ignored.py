import torch


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    log_ratio = logp - old_logp.detach()
    adv = adv.detach()
    ratio = torch.exp(log_ratio)

    loss_free = -ratio * adv
    loss_clip = -torch.clamp(ratio, 1 - eps_low, 1 + eps_high) * adv
    loss = torch.max(loss_free, loss_clip)

    if dual_c is not None:
        loss = torch.where(adv < 0, torch.min(loss, -dual_c * adv), loss)

    if reduction == "seq":
        total = loss.mean(dim=1).mean()
    else:
        total = loss.mean()
    with torch.no_grad():
        clipfrac = (loss_clip > loss_free).to(logp.dtype).mean()
        approx_kl = ((ratio - 1) - log_ratio).mean()
    return total, clipfrac, approx_kl
