# expect: wrong
# mistake: If every token is masked, ratio_mean and ratio_max are 0 instead of 1.
import torch


def policy_metrics(logp, old_logp, values, returns, mask, eps=0.2) -> dict[str, torch.Tensor]:
    keys = ("approx_kl", "ratio_mean", "ratio_max", "clipfrac", "explained_variance")
    if mask.sum() == 0:
        return {key: torch.zeros((), dtype=logp.dtype, device=logp.device) for key in keys}
    new, old, v, ret = [x.detach()[mask] for x in (logp, old_logp, values, returns)]
    x = new - old
    ratio = x.exp()
    adv = ret - v
    clipped = ((adv > 0) & (ratio > 1 + eps)) | ((adv < 0) & (ratio < 1 - eps))
    ev = torch.zeros_like(ratio[0])
    if not torch.all(ret == ret[0]):
        ev = 1 - (adv - adv.mean()).pow(2).mean() / (ret - ret.mean()).pow(2).mean()
    numbers = ((ratio - 1 - x).mean(), ratio.mean(), ratio.max(), clipped.to(ratio.dtype).mean(), ev)
    return dict(zip(keys, numbers))
