import torch


@torch.no_grad()
def policy_metrics(logp, old_logp, values, returns, mask, eps=0.2):
    log_ratio = (logp - old_logp)[mask]
    value, ret = values[mask], returns[mask]
    nan = torch.full((), float("nan"), dtype=logp.dtype, device=logp.device)
    zero, one = torch.zeros_like(nan), torch.ones_like(nan)
    if log_ratio.numel() == 0:
        return {
            "approx_kl": zero,
            "ratio_mean": one,
            "ratio_max": one.clone(),
            "clipfrac": zero.clone(),
            "explained_variance": nan,
        }
    ratio = log_ratio.exp()
    adv = ret - value
    clipped = ((adv > 0) & (ratio > 1 + eps)) | ((adv < 0) & (ratio < 1 - eps))
    explained = nan if (ret == ret[0]).all() else 1 - (ret - value).var(correction=0) / ret.var(correction=0)
    return {
        "approx_kl": (ratio - 1 - log_ratio).mean(),
        "ratio_mean": ratio.mean(),
        "ratio_max": ratio.max(),
        "clipfrac": clipped.to(logp.dtype).mean(),
        "explained_variance": explained,
    }
