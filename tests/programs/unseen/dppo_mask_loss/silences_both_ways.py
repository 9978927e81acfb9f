# expect: wrong
# mistake: Every token beyond delta is silenced, also one whose gradient would bring it back.
import torch


def dppo_mask_loss(logp, mu_logp, adv, mask, delta=0.15, kind="tv", C=20) -> torch.Tensor:
    logp = logp.masked_fill(~mask, -1.0)
    mu = mu_logp.detach().masked_fill(~mask, -1.0)
    adv = adv.detach().masked_fill(~mask, 0.0)

    old = logp.detach()
    if kind == "tv":
        div = (old.exp() - mu.exp()).abs()
    else:
        rest_mu, rest_old = -torch.expm1(mu), -torch.expm1(old)
        rest = torch.where(rest_mu > 0, rest_mu * (rest_mu.log() - rest_old.log()), 0.0)
        div = mu.exp() * (mu - old) + rest
    keep = (div <= delta) & mask
    ratio = (old - mu).exp().clamp(max=C)
    objective = torch.where(keep, ratio * adv, 0.0) * logp
    return -objective.sum() / mask.sum().clamp(min=1)
