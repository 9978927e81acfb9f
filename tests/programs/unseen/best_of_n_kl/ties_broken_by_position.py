# expect: wrong
# mistake: Of answers with the same reward, the one with the larger index always wins, instead of the one that was drawn first.
import math

import torch


def best_of_n_kl(n, probs, rewards):
    order = torch.argsort(rewards, dim=1, stable=True)
    p = probs.gather(1, order)
    p = p / p.sum(dim=1, keepdim=True)
    cdf = p.cumsum(dim=1)
    below = torch.cat([torch.zeros_like(cdf[:, :1]), cdf[:, :-1]], dim=1)
    q = (cdf.pow(n) - below.pow(n)).clamp(min=0)
    live = (q > 0) & (p > 0)
    safe_q = torch.where(live, q, torch.ones_like(q))
    safe_p = torch.where(live, p, torch.ones_like(p))
    kl = (safe_q * (safe_q / safe_p).log() * live).sum(dim=1)
    bound = math.log(n) - (n - 1) / n
    return kl, float(bound)
