# expect: wrong
# mistake: The drift of an answer with no unmasked tokens is 0 / 0, and NaN <= delta is false, so such an answer is dropped unless its advantage is at least 0.
import torch


def off_policy_seq_mask(logp, old_logp, adv, mask, delta) -> torch.Tensor:
    log_ratio = (old_logp - logp).masked_fill(~mask, 0)
    drift = log_ratio.sum(dim=1) / mask.sum(dim=1)
    return torch.logical_or(adv >= 0, drift <= delta)
