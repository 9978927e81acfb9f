import torch


def policy_metrics(logp, old_logp, values, returns, mask, eps=0.2):
    logp, old_logp, values, returns = logp.detach(), old_logp.detach(), values.detach(), returns.detach()
    count = mask.sum().to(logp.dtype)
    if count == 0:
        none, one = torch.zeros_like(count), torch.ones_like(count)
        return {
            "approx_kl": none,
            "ratio_mean": one,
            "ratio_max": one,
            "clipfrac": none,
            "explained_variance": none,
        }

    def mean(x):
        return x.masked_fill(~mask, 0.0).sum() / count

    def var(x):
        return mean((x - mean(x)) ** 2)

    log_ratio = (logp - old_logp).masked_fill(~mask, 0.0)
    ratio = log_ratio.exp()
    approx_kl = mean(ratio - 1 - log_ratio)
    ratio_max = ratio.masked_fill(~mask, 0.0).max()
    adv = returns - values
    clipped = ((adv > 0) & (ratio > 1.2)) | ((adv < 0) & (ratio < 0.8))
    clipfrac = mean(clipped.to(logp.dtype))
    first = returns[mask][0]
    if (returns[mask] == first).all():
        explained = torch.zeros_like(count)
    else:
        explained = 1 - var(adv) / var(returns)
    return {
        "approx_kl": approx_kl,
        "ratio_mean": mean(ratio),
        "ratio_max": ratio_max,
        "clipfrac": clipfrac,
        "explained_variance": explained,
    }
