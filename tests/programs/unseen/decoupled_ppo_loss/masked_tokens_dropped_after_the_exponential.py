# expect: wrong
# mistake: The masked tokens are replaced by 0 only in the finished token losses, so that NaN at a masked position turns the gradient of logp there into NaN instead of 0.
import torch


def decoupled_ppo_loss(logp, prox_logp, behav_logp, adv, mask, eps=0.2, w_cap=None):
    prox_logp = prox_logp.detach()
    behav_logp = behav_logp.detach()
    adv = adv.detach()

    ratio = torch.exp(logp - prox_logp)
    weight = torch.exp(prox_logp - behav_logp)
    unclipped = ratio * adv
    clipped = torch.clamp(ratio, 1 - eps, 1 + eps) * adv
    token_loss = -torch.min(unclipped, clipped) * weight

    keep = mask
    if w_cap is not None:
        keep = keep & ~(weight > w_cap)
    token_loss = torch.where(keep, token_loss, torch.zeros_like(token_loss))
    return token_loss.sum() / mask.sum().clamp(min=1)
