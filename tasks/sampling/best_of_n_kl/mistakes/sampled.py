import math

import torch


def best_of_n_kl(n, probs, rewards):
    own, other = rewards.unsqueeze(2), rewards.unsqueeze(1)
    p = probs.unsqueeze(1)
    below = torch.where(other < own, p, 0.0).sum(2)
    upto = torch.where(other <= own, p, 0.0).sum(2)
    level = upto - below
    kept = torch.zeros_like(probs)
    for row in range(len(probs)):
        draws = torch.multinomial(probs[row], 2000 * min(n, 50), replacement=True).reshape(2000, -1)
        best = draws.gather(1, rewards[row][draws].argmax(1, keepdim=True)).flatten()
        kept[row] = torch.bincount(best, minlength=probs.shape[1]) / 2000
    kl = (torch.xlogy(kept, kept) - torch.xlogy(kept, probs)).nan_to_num(0.0).sum(1)
    bound = math.log(n) - (n - 1) / n
    return kl, bound
