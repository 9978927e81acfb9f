import torch


def off_policy_seq_mask(logp, old_logp, adv, mask, delta):
    """Use nanmean; the mean of an empty row is NaN, which exceeds nothing."""
    gap = torch.where(mask, old_logp - logp, torch.nan)
    drift = torch.nanmean(gap, dim=1)
    keep = torch.ones(adv.shape, dtype=torch.bool, device=adv.device)
    keep[torch.nonzero((adv < 0) & torch.gt(drift, delta)).flatten()] = False
    return keep
