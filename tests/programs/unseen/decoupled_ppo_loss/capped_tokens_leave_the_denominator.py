# expect: wrong
# mistake: Tokens whose weight is above w_cap are removed from the mask, so that they are missing in the denominator of the mean too.
import torch


def decoupled_ppo_loss(logp, prox_logp, behav_logp, adv, mask, eps=0.2, w_cap=None):
    with torch.no_grad():
        w = torch.exp(prox_logp - behav_logp)
        valid = mask
        if w_cap is not None:
            valid = mask & (w <= w_cap)
        w = w.masked_fill(~valid, 0)
        prox = prox_logp.masked_fill(~valid, 0)
        a = adv.masked_fill(~valid, 0)
    x = logp.masked_fill(~valid, 0)
    ratio = torch.exp(x - prox)
    obj = torch.minimum(ratio * a, torch.clamp(ratio, 1 - eps, 1 + eps) * a)
    n = valid.sum().clamp(min=1).to(logp.dtype)
    return -(w * obj).sum() / n
