# expect: wrong
# mistake: The sum is divided by the number of tokens that are not silenced instead of all unmasked tokens.
import torch


def bernoulli_kl(log_a, log_b):
    a = log_a.exp()
    other_a, other_b = -torch.expm1(log_a), -torch.expm1(log_b)
    other = other_a * (other_a.log() - other_b.log())
    return a * (log_a - log_b) + other.masked_fill(other_a == 0, 0.0)


def dppo_mask_loss(logp, mu_logp, adv, mask, delta=0.15, kind="tv", C=20) -> torch.Tensor:
    logp = torch.where(mask, logp, 0.0)
    with torch.no_grad():
        mu = torch.where(mask, mu_logp, 0.0)
        a = torch.where(mask, adv, 0.0)
        if kind == "kl":
            distance = bernoulli_kl(mu, logp)
        else:
            distance = (mu.exp() - logp.exp()).abs()
        outward = torch.sign(a) * torch.sign(logp - mu) > 0
        trusted = mask & ~(outward & (distance > delta))
        ratio = torch.exp(logp - mu).clamp_max(C)
    per_token = -ratio * a * logp
    return (per_token * trusted).sum() / trusted.sum().clamp(min=1)
