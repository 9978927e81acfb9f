# expect: right
import torch


def _masked_mean(values, mask):
    return values.sum() / mask.sum().clamp(min=1)


def ppo_clip_loss(
    logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    zero = logp.new_zeros(())
    new = torch.where(mask, logp, zero)
    old = torch.where(mask, old_logp.detach().to(logp.dtype), zero)
    a = torch.where(mask, adv.detach().to(logp.dtype), zero)

    log_ratio = new - old
    ratio = log_ratio.exp()
    plain = -a * ratio
    clipped = -a * ratio.clamp(1 - eps_low, 1 + eps_high)
    per_token = torch.maximum(plain, clipped)
    if dual_c is not None:
        per_token = torch.where(a < 0, torch.minimum(per_token, -a * dual_c), per_token)
    per_token = torch.where(mask, per_token, zero)

    if reduction == "token":
        loss = _masked_mean(per_token, mask)
    else:
        lengths = mask.sum(dim=1)
        row_means = per_token.sum(dim=1) / lengths.clamp(min=1)
        loss = row_means.sum() / (lengths > 0).sum().clamp(min=1)

    with torch.no_grad():
        clipfrac = _masked_mean(((clipped > plain) & mask).to(logp.dtype), mask)
        kl = torch.where(mask, torch.expm1(log_ratio) - log_ratio, zero)
        approx_kl = _masked_mean(kl, mask)
    return loss, clipfrac, approx_kl
