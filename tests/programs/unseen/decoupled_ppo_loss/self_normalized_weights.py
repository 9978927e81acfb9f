# expect: wrong
# mistake: The importance weights are divided by their mean over the unmasked tokens, instead of being used as they are.
import torch


def decoupled_ppo_loss(logp, prox_logp, behav_logp, adv, mask, eps=0.2, w_cap=None):
    if not mask.any():
        return logp[mask].sum()
    cur = logp[mask]
    with torch.no_grad():
        prox, behav, a = prox_logp[mask], behav_logp[mask], adv[mask]
        w = torch.exp(prox - behav)
        keep = torch.ones_like(w) if w_cap is None else (w <= w_cap).to(w.dtype)
        w = w / w.mean()
    r = torch.exp(cur - prox)
    per_token = torch.maximum(-a * r, -a * r.clamp(1 - eps, 1 + eps))
    return (per_token * w * keep).mean()
