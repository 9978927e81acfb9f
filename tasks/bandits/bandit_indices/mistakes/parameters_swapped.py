import torch


def bandit_indices(wins, pulls, eps, u, v):
    has_pulls = pulls > 0
    count = pulls.clamp(min=1)
    mean = wins / count
    rounds = pulls.sum(dim=1, keepdim=True)
    index = torch.where(has_pulls, mean + (2 * rounds.log() / count).sqrt(), torch.inf)
    random_arm = (v * pulls.shape[1]).long()
    choice = torch.where(u < eps, random_arm, mean.argmax(dim=1))
    posterior = 1.0 + torch.stack([pulls - wins, wins], dim=2)
    return index, choice, posterior
