# expect: wrong
# mistake: The drift is the mean of the nonnegative k3 estimate of the divergence (ratio - 1 - log ratio) instead of the mean log-ratio.
import torch


def off_policy_seq_mask(logp, old_logp, adv, mask, delta) -> torch.Tensor:
    # KL(old || current) with the low-variance estimator
    log_ratio = torch.where(mask, logp - old_logp, 0.0)
    kl = log_ratio.exp() - 1 - log_ratio
    drift = kl.sum(dim=1) / mask.sum(dim=1).clamp(min=1)
    return ~((adv < 0) & (drift > delta))
