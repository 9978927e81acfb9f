# expect: wrong
# mistake: The exploration bonus of UCB1 is sqrt(ln(n) / n_i) instead of sqrt(2 ln(n) / n_i).
import torch


def bandit_indices(wins, pulls, eps, u, v):
    n = pulls.double()
    safe = n.clamp(min=1)
    mean = wins.double() / safe
    total = n.sum(dim=1, keepdim=True).clamp(min=1)

    bonus = torch.sqrt(torch.log(total) / safe)
    index = torch.where(pulls > 0, mean + bonus, torch.full_like(mean, float("inf")))

    K = wins.shape[1]
    greedy = (mean == mean.max(dim=1, keepdim=True).values).to(torch.int64).argmax(dim=1)
    uniform = (v.double() * K).long().clamp(max=K - 1)
    choice = torch.where(u.double() < eps, uniform, greedy)

    posterior = torch.stack((wins + 1, pulls - wins + 1), dim=2).float()
    return index.float(), choice, posterior
