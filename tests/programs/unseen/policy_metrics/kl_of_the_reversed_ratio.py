# expect: wrong
# mistake: approx_kl uses the ratio of the sampling policy's probability to the current one in the k3 formula (exp(-x) - 1 + x), which is not unbiased on tokens of the sampling policy.
import torch


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
    logp, old_logp, values, returns = (x.detach()[mask] for x in (logp, old_logp, values, returns))
    log_ratio = logp - old_logp
    ratio = log_ratio.exp()
    approx_kl = ((-log_ratio).exp() - 1 + log_ratio).mean()
    adv = returns - values
    clipped = torch.where(adv > 0, ratio > 1 + eps, (adv < 0) & (ratio < 1 - eps))
    constant = (returns == returns[0]).all()
    if constant:
        explained_variance = torch.zeros_like(approx_kl)
    else:
        explained_variance = 1 - adv.var(unbiased=False) / returns.var(unbiased=False)

    return {
        "approx_kl": approx_kl,
        "ratio_mean": ratio.mean(),
        "ratio_max": ratio.max(),
        "clipfrac": clipped.to(logp.dtype).mean(),
        "explained_variance": explained_variance,
    }
