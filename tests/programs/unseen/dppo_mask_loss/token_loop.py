# expect: right
import torch


def coin_divergence(old, cur, kind):
    """Divergence of the engine's coin and the current coin, from two log-probabilities of the token."""
    if kind == "tv":
        return (old.exp() - cur.exp()).abs()
    other_old, other_cur = -torch.expm1(old), -torch.expm1(cur)
    result = old.exp() * (old - cur)
    if other_old > 0:
        result = result + other_old * (other_old.log() - other_cur.log())
    return result


def dppo_mask_loss(logp, mu_logp, adv, mask, delta=0.15, kind="tv", C=20) -> torch.Tensor:
    # The empty selection keeps the loss attached to logp when nothing counts.
    total = logp[torch.zeros_like(mask)].sum()
    count = 0
    for token, old, gain in zip(logp[mask], mu_logp.detach()[mask], adv.detach()[mask]):
        count += 1
        cur = token.detach()
        further = (gain > 0 and cur > old) or (gain < 0 and cur < old)
        if further and coin_divergence(old, cur, kind) > delta:
            continue
        weight = torch.exp(cur - old).clamp(max=C)
        total = total - weight * gain * token
    return total / max(count, 1)
