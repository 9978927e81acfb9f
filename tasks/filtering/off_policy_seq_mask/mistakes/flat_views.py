import torch


def off_policy_seq_mask(logp, old_logp, adv, mask, delta):
    gap = (old_logp.view(-1) - logp.view(-1)).masked_fill(~mask.reshape(-1), 0.0).view(mask.shape)
    count = mask.sum(dim=1)
    drift = gap.sum(dim=1) / count.clamp(min=1)
    drop = (adv < 0) & (drift > delta)
    return ~drop
