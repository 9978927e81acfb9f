import math

import torch


def best_of_n_kl(n, probs, rewards):
    levels = torch.round(rewards, decimals=6)
    kls = []
    for p, lev in zip(probs, levels):
        total = p.sum()
        acc = torch.zeros((), dtype=torch.float64)
        kl = torch.zeros((), dtype=torch.float64)
        for v in torch.unique(lev):
            mass = p[lev == v].sum() / total
            if mass == 0:
                continue
            new = acc + mass
            win = new**n - acc**n
            if win > 0:
                kl = kl + win * torch.log(win / mass)
            acc = new
        kls.append(kl)
    bound = math.log(n) - (n - 1) / n
    return torch.stack(kls), bound
