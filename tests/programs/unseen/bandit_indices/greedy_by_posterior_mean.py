# expect: wrong
# mistake: Epsilon-greedy exploits the arm with the largest posterior mean (wins + 1) / (pulls + 2) instead of the largest fraction wins / pulls (0 without pulls).
import torch


def bandit_indices(wins, pulls, eps, u, v):
    K = wins.shape[-1]
    alpha = (wins + 1).double()
    beta = (pulls - wins + 1).double()
    posterior = torch.stack([alpha, beta], dim=-1).float()

    # UCB1
    never = pulls == 0
    n = pulls.masked_fill(never, 1).double()
    total = pulls.sum(-1, keepdim=True).clamp(min=1).double()
    index = (wins.double() / n + (2 * total.log() / n).sqrt()).masked_fill(never, float("inf")).float()

    # eps-greedy
    value = alpha / (alpha + beta)
    is_best = value == value.amax(-1, keepdim=True)
    exploit = is_best.int().argmax(-1)
    explore = (v.double() * K).floor().long().clamp(max=K - 1)
    choice = torch.where(u.double() < eps, explore, exploit)
    return index, choice, posterior
