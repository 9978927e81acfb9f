import torch


def rollout_correction(train_logp, rollout_logp, mask, mode, kind, lo, hi):
    rows = mask.nonzero()[:, 0]
    gap = train_logp.detach()[mask] - rollout_logp.detach()[mask]
    if mode != "token":
        sums = gap.new_zeros(mask.shape[0]).index_add(0, rows, gap)
        if mode == "geo":
            sums = sums / torch.bincount(rows, minlength=mask.shape[0]).clamp(min=1)
        gap = sums[rows]
    weight = gap.clamp(max=20).exp()
    weight = weight.clamp(max=hi) if kind == "tis" else weight * (weight.ge(lo) & weight.le(hi))
    result = torch.zeros_like(train_logp, requires_grad=False)
    result[mask] = weight
    return result
