# expect: wrong
# mistake: An answer with a negative advantage is dropped also if its drift is exactly delta.
import torch


def off_policy_seq_mask(logp, old_logp, adv, mask, delta) -> torch.Tensor:
    keep = []
    for i in range(logp.shape[0]):
        tokens = mask[i]
        if not tokens.any() or not adv[i] < 0:
            keep.append(True)
            continue
        drift = (old_logp[i][tokens] - logp[i][tokens]).mean()
        keep.append(bool(drift < delta))
    return torch.tensor(keep, dtype=torch.bool, device=logp.device)
