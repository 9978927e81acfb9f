# expect: wrong
# mistake: The mask is multiplied, so NaN at a masked position makes the drift NaN and the answer is kept, and the sum is divided by T instead of by the number of unmasked tokens.
import torch


def off_policy_seq_mask(logp, old_logp, adv, mask, delta) -> torch.Tensor:
    drift = ((old_logp - logp) * mask.to(logp.dtype)).mean(dim=-1)
    has_tokens = mask.any(dim=-1)
    too_far = has_tokens & (adv < 0) & (drift > delta)
    return too_far.logical_not()
