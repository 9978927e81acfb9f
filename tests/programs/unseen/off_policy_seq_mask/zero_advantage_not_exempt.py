# expect: wrong
# mistake: Answers with an advantage of exactly 0 are dropped like those with a negative advantage if the drift is above delta.
import torch


def off_policy_seq_mask(logp, old_logp, adv, mask, delta) -> torch.Tensor:
    drift_sum = torch.where(mask, old_logp - logp, 0.0).sum(-1)
    lengths = mask.sum(-1)
    empty = lengths == 0
    drift = drift_sum / lengths.masked_fill(empty, 1)
    return empty | (adv > 0) | ~(drift > delta)
