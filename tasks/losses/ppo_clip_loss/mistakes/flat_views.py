import torch


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    B, T = logp.shape
    keep = mask.view(-1)
    log_ratio = (logp.view(-1) - old_logp.detach().view(-1)).masked_fill(~keep, 0.0)
    advantage = adv.detach().view(-1).masked_fill(~keep, 0.0)
    ratio = log_ratio.exp()
    loss_free = -ratio * advantage
    loss_clip = -ratio.clamp(1 - eps_low, 1 + eps_high) * advantage
    loss = torch.max(loss_free, loss_clip)
    if dual_c is not None:
        loss = torch.where(advantage < 0, torch.min(loss, -dual_c * advantage), loss)
    n = keep.sum().clamp(min=1)
    if reduction == "seq":
        per_row = loss.view(B, T).sum(1) / mask.sum(1).clamp(min=1)
        total = per_row.sum() / mask.any(1).sum().clamp(min=1)
    else:
        total = loss.sum() / n
    with torch.no_grad():
        clipfrac = (loss_clip > loss_free).to(logp.dtype).sum() / n
        approx_kl = (ratio - 1 - log_ratio).sum() / n
    return total, clipfrac, approx_kl
