import torch


def off_policy_seq_mask(logp, old_logp, adv, mask, delta):
    gap = (old_logp - logp).masked_fill(~mask, 0.0)
    count = mask.sum(dim=1)
    far = (adv < 0)[:, None] & ((old_logp - logp) > delta)
    drop = (far | ~mask).all(dim=1) & (count > 0)
    return ~drop
