# expect: wrong
# mistake: Weights above w_cap are lowered to w_cap, instead of letting their tokens contribute 0.
import torch


def _clean(x, mask):
    return x.masked_fill(~mask, 0.0)


def decoupled_ppo_loss(logp, prox_logp, behav_logp, adv, mask, eps=0.2, w_cap=None):
    logp = _clean(logp, mask)
    prox_logp = _clean(prox_logp.detach(), mask)
    behav_logp = _clean(behav_logp.detach(), mask)
    adv = _clean(adv.detach(), mask)

    is_weight = (prox_logp - behav_logp).exp()
    if w_cap is not None:
        is_weight = is_weight.clamp(max=w_cap)

    ratio = (logp - prox_logp).exp()
    loss1 = -adv * ratio
    loss2 = -adv * ratio.clamp(1.0 - eps, 1.0 + eps)
    loss = is_weight * torch.max(loss1, loss2)
    return loss.sum() / mask.sum().clamp_min(1)
