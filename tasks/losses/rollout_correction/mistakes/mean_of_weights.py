import torch


def rollout_correction(train_logp, rollout_logp, mask, mode, kind, lo, hi):
    weights = torch.zeros_like(train_logp)
    with torch.no_grad():
        for i in range(mask.shape[0]):
            keep = mask[i]
            if not keep.any():
                continue
            gap = train_logp[i, keep] - rollout_logp[i, keep]
            if mode == "seq":
                gap = gap.sum().expand(len(gap))
            elif mode == "geo":
                gap = gap.exp().mean().log().expand(len(gap))
            w = gap.clamp(max=20).exp()
            if kind == "tis":
                w = w.clamp(max=hi)
            else:
                w = torch.where((w < lo) | (w > hi), torch.zeros_like(w), w)
            weights[i, keep] = w
    return weights
