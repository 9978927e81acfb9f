# expect: wrong
# mistake: clipfrac counts every token whose ratio is outside [1 - eps, 1 + eps], whatever the sign of its advantage.
import torch


def policy_metrics(logp, old_logp, values, returns, mask, eps=0.2) -> dict[str, torch.Tensor]:
    with torch.no_grad():
        n = int(mask.sum())
        zero = torch.zeros((), dtype=logp.dtype, device=logp.device)
        if n == 0:
            approx_kl, clipfrac, explained_variance = zero, zero.clone(), zero.clone()
            ratio_mean, ratio_max = zero + 1, zero + 1
        else:
            x = (logp - old_logp)[mask]
            ratio = torch.exp(x)
            approx_kl = (ratio - 1 - x).sum() / n
            ratio_mean, ratio_max = ratio.sum() / n, ratio.amax()
            clipfrac = ((ratio - 1).abs() > eps).sum().to(logp.dtype) / n
            ret, err = returns[mask], (returns - values)[mask]
            if ret.max() == ret.min():
                explained_variance = zero
            else:
                explained_variance = 1 - err.var(correction=0) / ret.var(correction=0)
    return {
        "approx_kl": approx_kl,
        "ratio_mean": ratio_mean,
        "ratio_max": ratio_max,
        "clipfrac": clipfrac,
        "explained_variance": explained_variance,
    }
