"""All three rules use the same two counts of each arm: its pulls, and the pulls that paid."""

import torch


def bandit_indices(wins, pulls, eps, u, v):
    """Return UCB1's indices [B, K], the epsilon-greedy choices [B], and Thompson sampling's posteriors [B, K, 2].

    Shapes: wins and pulls [B, K]; u and v [B].
    Sources: Auer, Cesa-Bianchi and Fischer (2002), figure 1; Sutton and Barto, 2nd edition, section 2.4.
    """
    has_pulls = pulls > 0
    count = pulls.clamp(min=1)
    mean = wins / count
    rounds = pulls.sum(dim=1, keepdim=True)
    index = torch.where(has_pulls, mean + (2 * rounds.log() / count).sqrt(), torch.inf)
    random_arm = (v * pulls.shape[1]).long()
    choice = torch.where(u < eps, random_arm, (wins.double() / count).argmax(dim=1))
    posterior = 1.0 + torch.stack([wins, pulls - wins], dim=2)
    return index, choice, posterior
