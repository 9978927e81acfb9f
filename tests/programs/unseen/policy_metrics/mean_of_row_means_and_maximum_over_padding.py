# expect: wrong
# mistake: approx_kl, ratio_mean and clipfrac are means over the rows of each row's mean, and ratio_max is taken over all positions, where masked ones count with a ratio of 1.
import torch


@torch.no_grad()
def policy_metrics(logp, old_logp, values, returns, mask, eps=0.2) -> dict[str, torch.Tensor]:
    if not mask.any():
        zero, one = logp.new_zeros(()), logp.new_ones(())
        return {
            "approx_kl": zero,
            "ratio_mean": one,
            "ratio_max": one.clone(),
            "clipfrac": zero.clone(),
            "explained_variance": zero.clone(),
        }
    log_ratio = torch.where(mask, logp - old_logp, 0.0)
    ratio = log_ratio.exp()
    adv = torch.where(mask, returns - values, 0.0)
    lengths = mask.sum(dim=1)
    rows = lengths > 0

    def average(x):
        per_row = torch.where(mask, x, 0.0).sum(dim=1)[rows] / lengths[rows]
        return per_row.mean()

    clipped = ((adv > 0) & (ratio > 1 + eps)) | ((adv < 0) & (ratio < 1 - eps))
    ret = returns[mask]
    if (ret == ret[0]).all():
        explained_variance = logp.new_zeros(())
    else:
        explained_variance = 1 - adv[mask].var(correction=0) / ret.var(correction=0)
    return {
        "approx_kl": average(ratio - 1 - log_ratio),
        "ratio_mean": average(ratio),
        "ratio_max": ratio.max(),
        "clipfrac": average(clipped.to(logp.dtype)),
        "explained_variance": explained_variance,
    }
