import math

import torch


def policy_metrics(logp, old_logp, values, returns, mask, eps=0.2):
    new, old, v, g, keep = (x.detach().flatten().tolist() for x in (logp, old_logp, values, returns, mask))
    rows = [(a - b, y, x) for a, b, x, y, m in zip(new, old, v, g, keep, strict=True) if m]
    if rows:
        n = len(rows)
        ratios = [math.exp(d) for d, _, _ in rows]
        rets = [y for _, y, _ in rows]
        errors = [y - x for _, y, x in rows]
        clipped = sum(
            (e > 0 and r > 1 + eps) or (e < 0 and r < 1 - eps) for r, e in zip(ratios, errors, strict=True)
        )

        def variance(numbers):
            mean = math.fsum(numbers) / n
            return math.fsum((x - mean) ** 2 for x in numbers) / n

        explained = math.nan if min(rets) == max(rets) else 1 - variance(errors) / variance(rets)
        kl = math.fsum(math.expm1(d) - d for d, _, _ in rows) / n
        found = (kl, math.fsum(ratios) / n, max(ratios), clipped / n, explained)
    else:
        found = (0.0, 1.0, 1.0, 0.0, math.nan)
    names = ("approx_kl", "ratio_mean", "ratio_max", "clipfrac", "explained_variance")
    return {
        name: torch.tensor(x, dtype=logp.dtype, device=logp.device) for name, x in zip(names, found, strict=True)
    }
