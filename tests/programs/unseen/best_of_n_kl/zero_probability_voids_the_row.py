# expect: wrong
# mistake: A NaN from 0 * log(0/0) is replaced only after the sum, so a prompt with any zero winning probability gets a divergence of 0.
import math

import torch


def best_of_n_kl(n, probs, rewards):
    p = probs / probs.sum(1, keepdim=True)
    le = (rewards.unsqueeze(1) <= rewards.unsqueeze(2)).double()
    lt = (rewards.unsqueeze(1) < rewards.unsqueeze(2)).double()
    eq = le - lt
    F_le = torch.einsum("bij,bj->bi", le, p).clamp(max=1)
    F_lt = torch.einsum("bij,bj->bi", lt, p).clamp(max=1)
    group = torch.einsum("bij,bj->bi", eq, p)

    gain = (F_le**n - F_lt**n).clamp(min=0) / group
    q = p * gain
    kl = (q * torch.log(gain)).sum(1)
    kl = torch.nan_to_num(kl, nan=0.0)
    bound = math.log(n) - (n - 1) / n
    return kl, bound
