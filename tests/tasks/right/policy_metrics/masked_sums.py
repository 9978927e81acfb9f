import torch


def policy_metrics(logp, old_logp, values, returns, mask, eps=0.2):
    logp, old_logp, values, returns = (
        torch.where(mask, x.detach(), 0.0) for x in (logp, old_logp, values, returns)
    )
    count = mask.sum()

    def mean(x):
        return torch.where(mask, x, 0.0).sum() / count.clamp(min=1)

    difference = logp - old_logp
    ratio = difference.exp()
    advantage = returns - values
    is_clipped = torch.where(advantage > 0, ratio > 1 + eps, (advantage < 0) & (ratio < 1 - eps))
    largest = torch.where(mask, ratio, 0.0).amax()
    infinity = torch.full_like(returns, float("inf"))
    low, high = torch.where(mask, returns, infinity).amin(), torch.where(mask, returns, -infinity).amax()
    spread = mean((returns - mean(returns)).square())
    rest = mean((advantage - mean(advantage)).square())
    explained = torch.where(high > low, 1 - rest / spread, float("nan"))
    is_empty = count == 0
    return {
        "approx_kl": mean(torch.expm1(difference) - difference),
        "ratio_mean": torch.where(is_empty, 1.0, mean(ratio)),
        "ratio_max": torch.where(is_empty, 1.0, largest),
        "clipfrac": mean(is_clipped.to(logp.dtype)),
        "explained_variance": torch.where(is_empty, float("nan"), explained),
    }
