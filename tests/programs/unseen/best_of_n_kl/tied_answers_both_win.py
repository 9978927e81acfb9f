# expect: wrong
# mistake: An answer is credited with every round in which it is drawn and nothing better is, even if a tied answer was drawn before it.
import math

import torch


def best_of_n_kl(n, probs, rewards):
    p = probs / probs.sum(dim=1, keepdim=True)
    # mass of the answers that are not better than answer i
    not_better = (rewards[:, None, :] <= rewards[:, :, None]).to(p.dtype)
    F = (not_better * p[:, None, :]).sum(dim=-1).clamp(max=1.0)
    q = F.pow(n) - (F - p).clamp(min=0).pow(n)
    ratio = torch.where(q > 0, q / p.clamp(min=torch.finfo(p.dtype).tiny), torch.ones_like(q))
    kl = torch.where(q > 0, q * ratio.log(), torch.zeros_like(q)).sum(dim=1)
    return kl, math.log(n) - (n - 1) / n
