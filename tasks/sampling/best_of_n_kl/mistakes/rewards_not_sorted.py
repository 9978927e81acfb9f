import math

import torch


def best_of_n_kl(n, probs, rewards):
    own, other = rewards.unsqueeze(2), rewards.unsqueeze(1)
    p = probs.unsqueeze(1)
    upto = probs.cumsum(1)
    below = upto - probs
    level = upto - below
    kept = probs * (upto**n - below**n) / level.clamp_min(1e-300)
    kl = (torch.xlogy(kept, kept) - torch.xlogy(kept, probs)).nan_to_num(0.0).sum(1)
    bound = math.log(n) - (n - 1) / n
    return kl, bound
