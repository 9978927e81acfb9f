# expect: wrong
# mistake: eps_low is used for the upper bound and eps_high for the lower one
# mistake: masked positions are multiplied by zero, so a NaN there reaches the results
import torch


def ppo_clip_loss(
    logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    m = mask.to(logp.dtype)
    adv = adv.detach()
    log_ratio = logp - old_logp.detach()
    ratio = log_ratio.exp()
    lower, upper = 1.0 - eps_high, 1.0 + eps_low
    a, b = -adv * ratio, -adv * ratio.clamp(lower, upper)
    per_token = torch.max(a, b)
    if dual_c is not None:
        per_token = torch.where(adv < 0, torch.min(per_token, -adv * dual_c), per_token)
    total = m.sum().clamp(min=1)
    if reduction == "token":
        loss = (per_token * m).sum() / total
    else:
        rows = m.sum(1)
        loss = ((per_token * m).sum(1) / rows.clamp(min=1)).sum() / (rows > 0).sum().clamp(min=1)
    clipfrac = ((b > a).to(logp.dtype) * m).sum() / total
    approx_kl = ((ratio - 1 - log_ratio).detach() * m).sum() / total
    return loss, clipfrac, approx_kl
