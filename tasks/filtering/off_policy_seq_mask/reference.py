"""Only answers with a negative advantage that have become unlikely under the policy are dropped; all others stay."""

import torch


def off_policy_seq_mask(logp, old_logp, adv, mask, delta):
    """Return False for answers with a negative advantage whose mean log(old / current) exceeds delta, else True.

    Shapes: logp, old_logp, mask [B, T]; adv and the result [B].
    Source: arXiv:2512.02556 (off-policy sequence masking).
    """
    # torch.where instead of `* mask`, because 0 * NaN is NaN.
    drift = torch.where(mask, old_logp - logp, 0.0).sum(dim=1) / mask.sum(dim=1).clamp(min=1)
    return ~((adv < 0) & (drift > delta))
