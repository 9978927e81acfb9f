# expect: wrong
# mistake: With "mis" in the modes "seq" and "geo" the bounds are applied to each token's own weight instead of the weight of the row.
import torch


@torch.no_grad()
def rollout_correction(train_logp, rollout_logp, mask, mode, kind, lo, hi) -> torch.Tensor:
    gap = (train_logp - rollout_logp).masked_fill(~mask, 0.0)
    token_weight = gap.clamp(max=20.0).exp()
    outside = (token_weight < lo) | (token_weight > hi)

    if mode == "token":
        weight = token_weight
    else:
        total = gap.sum(1, keepdim=True)
        if mode == "geo":
            total = total / mask.sum(1, keepdim=True).clamp(min=1)
        weight = total.clamp(max=20.0).exp().expand_as(gap)

    if kind == "tis":
        weight = weight.clamp(max=hi)
    else:
        weight = weight.masked_fill(outside, 0.0)
    return weight.masked_fill(~mask, 0.0).to(train_logp.dtype)
