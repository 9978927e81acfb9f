import torch


def off_policy_seq_mask(logp, old_logp, adv, mask, delta):
    gap = (old_logp - logp).masked_fill(~mask, 0.0)
    count = mask.sum(dim=1)
    last = (torch.arange(mask.shape[1], device=mask.device) * mask).argmax(dim=1, keepdim=True)
    drift = gap.gather(1, last)[:, 0]
    drop = (adv < 0) & (drift > delta)
    return ~drop
