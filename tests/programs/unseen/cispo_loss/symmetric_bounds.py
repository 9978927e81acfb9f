# expect: wrong
# mistake: without eps_low the weight is bounded below by 1 - eps_high instead of not at all
import torch


def cispo_loss(logp, old_logp, adv, mask, eps_high=0.2, eps_low=None):
    if eps_low is None:
        eps_low = eps_high
    keep = mask.bool()
    log_new = logp[keep]
    with torch.no_grad():
        is_weight = torch.exp(log_new - old_logp[keep]).clamp(1.0 - eps_low, 1.0 + eps_high)
        scale = is_weight * adv[keep]
    count = max(int(keep.sum()), 1)
    return -(scale * log_new).sum() / count
