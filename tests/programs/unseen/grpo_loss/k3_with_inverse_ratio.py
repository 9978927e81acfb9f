# expect: wrong
# mistake: The penalty uses exp(logp - ref_logp) - (logp - ref_logp) - 1, with the ratio upside down, instead of exp(ref_logp - logp) - (ref_logp - logp) - 1.
import torch


def k3(log_ratio):
    return torch.expm1(log_ratio) - log_ratio


def grpo_loss(logp, old_logp, ref_logp, adv, mask, eps, beta):
    zero = torch.zeros_like(logp)
    pi = torch.where(mask, logp, zero)
    old = torch.where(mask, old_logp.detach(), zero)
    A = torch.where(mask, adv.detach().unsqueeze(-1), zero)

    r = torch.exp(pi - old)
    pg = torch.min(r * A, torch.clamp(r, 1 - eps, 1 + eps) * A)
    per_token = -pg
    if ref_logp is not None and beta > 0:
        ref = torch.where(mask, ref_logp.detach(), zero)
        per_token = per_token + beta * k3(pi - ref)

    m = mask.to(logp.dtype)
    lengths = m.sum(-1)
    per_row = (per_token * m).sum(-1) / lengths.clamp(min=1)
    n_rows = (lengths > 0).sum().clamp(min=1)
    return per_row.sum() / n_rows
