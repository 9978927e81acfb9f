# expect: wrong
# mistake: It clips the logarithm of the ratio to [-eps_low, eps_high] instead of clipping the ratio to [1 - eps_low, 1 + eps_high].
import torch


def gspo_loss(logp, old_logp, adv, mask, eps_low=3e-4, eps_high=4e-4, token_variant=False) -> torch.Tensor:
    """Return GSPO's loss, a 0-dim tensor to minimise."""

    def surrogate(log_ratio, a):
        free = log_ratio.exp() * a
        bounded = log_ratio.clamp(-eps_low, eps_high).exp() * a
        return -torch.minimum(free, bounded)

    adv = adv.detach()
    total = logp[mask].sum() * 0.0
    rows = 0
    for b in range(logp.size(0)):
        m = mask[b]
        if not bool(m.any()):
            continue
        rows += 1
        lp = logp[b, m]
        mean_log_ratio = (lp - old_logp[b, m].detach()).mean()
        if token_variant:
            a = adv[b, m] if adv.ndim == 2 else adv[b]
            total = total + surrogate(mean_log_ratio.detach() + (lp - lp.detach()), a).mean()
        else:
            total = total + surrogate(mean_log_ratio, adv[b])
    return total / max(rows, 1)
