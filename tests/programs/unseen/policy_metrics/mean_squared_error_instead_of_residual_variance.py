# expect: wrong
# mistake: explained_variance divides the mean squared error of the values by the variance of the returns, so a constant offset in the values lowers it.
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
    lr = logp[mask] - old_logp[mask]
    ratio = lr.exp()
    approx_kl = (ratio - 1 - lr).mean()
    v, g = values[mask], returns[mask]
    positive, negative = g > v, g < v
    clipped = (positive & (ratio > 1 + eps)) | (negative & (ratio < 1 - eps))
    explained_variance = logp.new_zeros(())
    if g.max() > g.min():
        explained_variance = 1 - (g - v).square().mean() / (g - g.mean()).square().mean()

    return {
        "approx_kl": approx_kl,
        "ratio_mean": ratio.mean(),
        "ratio_max": ratio.max(),
        "clipfrac": clipped.to(logp.dtype).mean(),
        "explained_variance": explained_variance,
    }
