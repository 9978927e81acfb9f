# expect: wrong
# mistake: The second parameter of the beta posterior is 1 + pulls instead of 1 + pulls - wins.
import torch


def ucb1(wins, pulls):
    index = torch.full(wins.shape, float("inf"), dtype=torch.float64)
    log_total = pulls.sum(dim=-1, keepdim=True).double().log().expand(pulls.shape)
    tried = pulls > 0
    n = pulls[tried].double()
    index[tried] = wins[tried].double() / n + (2.0 * log_total[tried] / n).sqrt()
    return index.to(torch.float32)


def epsilon_greedy(wins, pulls, eps, u, v):
    k = pulls.size(-1)
    frac = wins.double() / pulls.clamp(min=1).double()
    top = frac.max(dim=-1, keepdim=True)[0]
    arms = torch.arange(k).expand_as(frac)
    greedy = torch.where(frac == top, arms, k).min(dim=-1)[0]
    explore_arm = torch.floor(v.double() * k).long().clamp_(0, k - 1)
    return torch.where(u.double() < eps, explore_arm, greedy)


def bandit_indices(wins, pulls, eps, u, v):
    posterior = torch.stack([1 + wins, 1 + pulls], dim=-1).to(torch.float32)
    return ucb1(wins, pulls), epsilon_greedy(wins, pulls, eps, u, v), posterior
