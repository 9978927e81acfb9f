# expect: wrong
# mistake: The drift is the mean of log(current / old), so the sign is reversed and answers that have become more likely are dropped.
import torch


def off_policy_seq_mask(logp, old_logp, adv, mask, delta) -> torch.Tensor:
    log_ratio = torch.where(mask, logp - old_logp, torch.zeros_like(logp))
    n = mask.sum(dim=-1)
    drift = log_ratio.sum(dim=-1) / n.clamp(min=1)
    keep = (adv >= 0) | (drift <= delta) | (n == 0)
    return keep
