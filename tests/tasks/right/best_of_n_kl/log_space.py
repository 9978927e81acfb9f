import math

import torch


def best_of_n_kl(n, probs, rewards):
    """F^n - F_below^n = F^n (1 - (1 - P / F)^n), in log space."""
    kl = []
    for row, reward in zip(probs, rewards, strict=True):
        p, r = row[row > 0], reward[row > 0]
        values, index = torch.unique(r, return_inverse=True)
        mass = torch.zeros_like(values).index_add(0, index, p)
        upto = mass.cumsum(0)
        share = (mass / upto).clamp(max=1.0)
        log_kept = n * upto.log() + torch.log(-torch.expm1(n * torch.log1p(-share)))
        kept = log_kept.exp()
        terms = kept * (log_kept - mass.log())
        kl.append(terms[kept > 0].sum())
    return torch.stack(kl), float(math.log(n) - (n - 1) / n)
