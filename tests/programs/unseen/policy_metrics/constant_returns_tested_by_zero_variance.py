# expect: wrong
# mistake: explained_variance is 0 only if the computed variance is exactly 0, so equal returns whose mean is rounded give a huge quotient.
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
    diff = logp[mask] - old_logp[mask]
    ratio = diff.exp()
    approx_kl = (ratio - 1 - diff).mean()

    advantage = returns[mask] - values[mask]
    high = (ratio > 1 + eps) & (advantage > 0)
    low = (ratio < 1 - eps) & (advantage < 0)
    clipped = high | low

    def variance(x):
        return (x - x.mean()).square().mean()

    var_returns = variance(returns[mask])
    if var_returns == 0:
        explained_variance = torch.zeros_like(var_returns)
    else:
        explained_variance = 1 - variance(advantage) / var_returns

    return {
        "approx_kl": approx_kl,
        "ratio_mean": ratio.mean(),
        "ratio_max": ratio.max(),
        "clipfrac": clipped.to(logp.dtype).mean(),
        "explained_variance": explained_variance,
    }
