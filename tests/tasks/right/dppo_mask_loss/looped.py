import math


def divergence(p, q, kind):
    if kind == "tv":
        return abs(p - q)
    total = 0.0
    for a, b in ((p, q), (1 - p, 1 - q)):
        if a > 0:
            total += a * math.log(a / b) if b > 0 else math.inf
    return total


def dppo_mask_loss(logp, mu_logp, adv, mask, delta=0.15, kind="tv", C=20):
    total = logp[mask].sum() * 0
    count = 0
    for b, t in mask.nonzero().tolist():
        count += 1
        p, q = math.exp(mu_logp[b, t].item()), math.exp(logp[b, t].item())
        gain = adv[b, t].item()
        moves_away = (gain > 0 and q > p) or (gain < 0 and q < p)
        if moves_away and divergence(p, q, kind) > delta:
            continue
        total = total - min(q / p, C) * gain * logp[b, t]
    return total / max(count, 1)
