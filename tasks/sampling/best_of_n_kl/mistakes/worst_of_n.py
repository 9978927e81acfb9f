import math

import torch


def best_of_n_kl(n, probs, rewards):
    rewards = -rewards
    own, other = rewards.unsqueeze(2), rewards.unsqueeze(1)
    p = probs.unsqueeze(1)
    below = torch.where(other < own, p, 0.0).sum(2)
    upto = torch.where(other <= own, p, 0.0).sum(2)
    level = upto - below
    kept = probs * (upto**n - below**n) / level.clamp_min(1e-300)
    kl = (torch.xlogy(kept, kept) - torch.xlogy(kept, probs)).nan_to_num(0.0).sum(1)
    bound = math.log(n) - (n - 1) / n
    return kl, bound
