# expect: wrong
# mistake: with "seq" the rows without any unmasked token count as rows with mean 0
import torch


def ppo_clip_loss(
    logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    zeros = torch.zeros_like(logp)
    logp = torch.where(mask, logp, zeros)
    old_logp = torch.where(mask, old_logp, zeros).detach()
    adv = torch.where(mask, adv, zeros).detach()
    log_ratio = logp - old_logp
    ratio = log_ratio.exp()
    unclipped = -adv * ratio
    clipped = -adv * ratio.clamp(1 - eps_low, 1 + eps_high)
    loss = torch.maximum(unclipped, clipped)
    if dual_c is not None:
        loss = torch.where(adv < 0, loss.minimum(-dual_c * adv), loss)

    count = mask.sum().clamp(min=1)
    if reduction == "seq":
        loss = (loss.sum(-1) / mask.sum(-1).clamp(min=1)).mean()
    else:
        loss = loss.sum() / count
    clipfrac = (clipped > unclipped).detach().to(logp.dtype).sum() / count
    approx_kl = (ratio - 1 - log_ratio).detach().sum() / count
    return loss, clipfrac, approx_kl
