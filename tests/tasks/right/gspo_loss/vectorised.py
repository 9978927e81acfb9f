import torch


def gspo_loss(logp, old_logp, adv, mask, eps_low=3e-4, eps_high=4e-4, token_variant=False):
    rows = torch.nonzero(mask.any(dim=1)).flatten()
    keep = mask[rows]
    new = logp[rows].masked_fill(~keep, 0)
    gap = new - old_logp[rows].detach().masked_fill(~keep, 0)
    share = keep / keep.sum(dim=1, keepdim=True)
    mean_gap = torch.einsum("bt,bt->b", gap, share.to(gap.dtype))
    gain = adv[rows].detach()
    if token_variant:
        gain = (gain[:, None] if gain.dim() == 1 else gain).expand(keep.shape).masked_fill(~keep, 0)
        ratio = torch.exp(mean_gap.detach()[:, None] + new - new.detach())
    else:
        gain, ratio, share = gain[:, None], mean_gap.exp()[:, None], 1.0
    worse = torch.minimum(ratio * gain, ratio.clip(1 - eps_low, 1 + eps_high) * gain)
    return -(worse * share).sum() / max(rows.numel(), 1)
