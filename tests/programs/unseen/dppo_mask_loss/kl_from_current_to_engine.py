# expect: wrong
# mistake: With "kl" the divergence is KL(current || engine), the reverse of the KL(engine || current) that the statement asks for.
import torch


def _kl_bern(log_a, log_b):
    a = log_a.exp()
    not_a = -torch.expm1(log_a)
    not_b = -torch.expm1(log_b)
    hit = torch.where(a > 0, a * (log_a - log_b), torch.zeros_like(a))
    miss = torch.where(not_a > 0, not_a * (not_a.log() - not_b.log()), torch.zeros_like(a))
    return hit + miss


def dppo_mask_loss(logp, mu_logp, adv, mask, delta=0.15, kind="tv", C=20):
    fill = torch.full_like(logp, -0.5)
    new = torch.where(mask, logp, fill)
    old = torch.where(mask, mu_logp, fill).detach()
    advantage = torch.where(mask, adv, torch.zeros_like(adv)).detach()
    new_c = new.detach()

    if kind == "tv":
        d = torch.abs(new_c.exp() - old.exp())
    else:
        d = _kl_bern(new_c, old)

    up = (advantage > 0) & (new_c > old)
    down = (advantage < 0) & (new_c < old)
    silent = (up | down) & (d > delta)

    weight = (new_c - old).exp().clamp(max=C).masked_fill(silent, 0.0)
    per_token = -weight * advantage * new
    count = mask.sum().to(logp.dtype)
    return per_token.sum() / torch.clamp(count, min=1.0)
