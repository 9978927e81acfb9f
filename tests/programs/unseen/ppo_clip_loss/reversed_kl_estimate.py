# expect: wrong
# mistake: approx_kl uses the ratio of the older to the current policy, the inverse of the ratio asked for
import torch


def ppo_clip_loss(
    logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    filler = torch.zeros_like(logp)
    lp = torch.where(mask, logp, filler)
    olp = torch.where(mask, old_logp.detach(), filler)
    A = torch.where(mask, adv.detach(), filler)
    n = mask.sum().clamp(min=1)

    ratio = (lp - olp).exp()
    surr1 = ratio * A
    surr2 = ratio.clamp(1.0 - eps_low, 1.0 + eps_high) * A
    objective = torch.min(surr1, surr2)
    if dual_c is not None:
        objective = torch.where(A < 0, torch.max(objective, dual_c * A), objective)

    if reduction == "seq":
        m = mask.sum(dim=-1)
        loss = -(objective.sum(dim=-1) / m.clamp(min=1)).sum() / (m > 0).sum().clamp(min=1)
    else:
        loss = -objective.sum() / n

    clipfrac = (surr2 < surr1).to(logp.dtype).sum() / n
    # Schulman's k3 estimator
    log_r = (olp - lp).detach()
    approx_kl = (log_r.exp() - 1 - log_r).sum() / n
    return loss, clipfrac, approx_kl
