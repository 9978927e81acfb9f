# expect: right
import math

import torch


def _row_kl(n, p, r):
    levels, group = torch.unique(r, sorted=True, return_inverse=True)
    mass = torch.zeros(len(levels), dtype=torch.float64).index_add_(0, group, p)
    mass = mass[mass > 0]
    mass = mass / mass.sum()
    upto = mass.cumsum(0)
    # win = upto**n - (upto - mass)**n, without cancellation
    share = (mass / upto).clamp(max=1.0)
    win = torch.exp(n * upto.log()) * -torch.expm1(n * torch.log1p(-share))
    keep = win > 0
    win, mass = win[keep], mass[keep]
    return (win * (win / mass).log()).sum()


def best_of_n_kl(n, probs, rewards):
    bound = math.log(n) - (n - 1) / n
    kl = torch.zeros(probs.shape[0], dtype=torch.float64)
    for i in range(probs.shape[0]):
        kl[i] = _row_kl(n, probs[i].detach(), rewards[i].detach())
    return kl, bound
