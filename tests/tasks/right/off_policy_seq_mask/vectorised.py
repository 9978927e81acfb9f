import torch


def off_policy_seq_mask(logp, old_logp, adv, mask, delta):
    # Compare sums instead of means: sum(gap) > delta * count, which is 0 > 0 for an empty row.
    count = mask.sum(dim=1)
    excess = (old_logp - logp).masked_fill(~mask, 0).sum(dim=1) - delta * count
    is_bad = torch.lt(adv, 0).logical_and(excess > 0)
    return is_bad.logical_not()
