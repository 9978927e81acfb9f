# expect: right
import torch


def ppo_clip_loss(
    logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    rows = mask.nonzero()[:, 0]
    count = rows.numel()
    if count == 0:
        nothing = torch.zeros((), dtype=logp.dtype, device=logp.device)
        return logp[mask].sum(), nothing, nothing.clone()

    diff = logp[mask] - old_logp[mask].detach().to(logp.dtype)
    a = adv[mask].detach().to(logp.dtype)
    ratio = diff.exp()

    # for a good token the ratio is bounded from above, for a bad one from below (and by dual_c from above)
    good = ratio.clamp(max=1 + eps_high)
    bad = ratio.clamp(min=1 - eps_low, max=dual_c)
    per_token = -a * torch.where(a < 0, bad, good)

    if reduction == "seq":
        lengths = torch.bincount(rows, minlength=mask.shape[0])
        weights = 1.0 / (lengths[rows].to(logp.dtype) * (lengths > 0).sum())
    else:
        weights = torch.full_like(a, 1.0 / count)
    loss = (weights * per_token).sum()

    with torch.no_grad():
        limited = a * ratio.clamp(1 - eps_low, 1 + eps_high)
        clipfrac = (limited < a * ratio).to(logp.dtype).mean()
        approx_kl = (ratio - 1 - diff).mean()
    return loss, clipfrac, approx_kl
