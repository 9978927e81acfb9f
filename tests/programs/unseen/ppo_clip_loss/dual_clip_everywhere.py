# expect: wrong
# mistake: with dual_c the loss is bounded by -dual_c * adv for all tokens, so tokens with a positive advantage change too
import torch


def ppo_clip_loss(
    logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    keep = mask
    a = adv.detach()[keep]
    d = logp[keep] - old_logp.detach()[keep]
    r = d.exp()
    l1 = -a * r
    l2 = -a * r.clamp(1 - eps_low, 1 + eps_high)
    per_token = torch.max(l1, l2)
    if dual_c is not None:
        per_token = torch.min(per_token, -a * dual_c)

    n = max(a.numel(), 1)
    clipfrac = (l2 > l1).to(logp.dtype).sum() / n
    approx_kl = (r - 1 - d).detach().sum() / n
    if reduction == "token":
        return per_token.sum() / n, clipfrac, approx_kl
    full = torch.zeros_like(logp).masked_scatter(keep, per_token)
    sizes = keep.sum(1)
    means = full.sum(1) / sizes.clamp(min=1)
    return means.sum() / (sizes > 0).sum().clamp(min=1), clipfrac, approx_kl
