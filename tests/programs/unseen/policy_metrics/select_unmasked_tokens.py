# expect: right
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
    log_ratio = logp[mask] - old_logp[mask]
    v, ret = values[mask], returns[mask]
    ratio = log_ratio.exp()
    approx_kl = (torch.expm1(log_ratio) - log_ratio).mean()

    adv = ret - v
    clipped = ((adv > 0) & (ratio > 1 + eps)) | ((adv < 0) & (ratio < 1 - eps))

    if (ret == ret[0]).all():
        explained_variance = logp.new_zeros(())
    else:
        explained_variance = 1 - adv.var(correction=0) / ret.var(correction=0)

    return {
        "approx_kl": approx_kl,
        "ratio_mean": ratio.mean(),
        "ratio_max": ratio.max(),
        "clipfrac": clipped.to(logp.dtype).mean(),
        "explained_variance": explained_variance,
    }
