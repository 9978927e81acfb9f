# expect: right
import torch


def off_policy_seq_mask(logp, old_logp, adv, mask, delta) -> torch.Tensor:
    gap = (old_logp - logp).masked_fill(~mask, 0.0)
    count = mask.sum(dim=1)
    drift = gap.sum(dim=1) / count.clamp(min=1)
    drop = (adv < 0) & (drift > delta) & (count > 0)
    return ~drop
