# expect: wrong
# mistake: the loss takes the term with the clipped ratio alone, without the larger of the two terms
import torch


def ppo_clip_loss(
    logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    safe = lambda x: torch.where(mask, x, torch.zeros_like(x))
    logp, old_logp, adv = safe(logp), safe(old_logp).detach(), safe(adv).detach()
    delta = logp - old_logp
    ratio = delta.exp()
    bounded = torch.clamp(ratio, min=1 - eps_low, max=1 + eps_high)
    token_loss = -adv * bounded
    if dual_c is not None:
        cap = dual_c * adv.abs()
        token_loss = torch.where(adv < 0, torch.minimum(token_loss, cap), token_loss)

    tokens = mask.sum(1)
    total = tokens.sum().clamp(min=1)
    if reduction == "token":
        loss = token_loss.sum() / total
    else:
        loss = (token_loss.sum(1) / tokens.clamp(min=1)).sum() / (tokens > 0).sum().clamp(min=1)
    with torch.no_grad():
        clipfrac = (-adv * bounded > -adv * ratio).sum().to(logp.dtype) / total
        approx_kl = (ratio - 1 - delta).sum() / total
    return loss, clipfrac, approx_kl
