# expect: wrong
# mistake: The logarithm in UCB1's index is taken of the pulls of all bandits together instead of those of the own bandit.
import torch


def bandit_indices(wins, pulls, eps, u, v):
    B, K = pulls.shape
    t = pulls.sum().double()
    w, n = wins.double(), pulls.double()

    index = w / n + torch.sqrt(2 * torch.log(t) / n)
    index[pulls == 0] = float("inf")

    p_hat = torch.where(pulls > 0, w / n, torch.zeros_like(w))
    choice = torch.empty(B, dtype=torch.int64)
    for b in range(B):
        if float(u[b]) < eps:
            choice[b] = min(int(float(v[b]) * K), K - 1)
        else:
            choice[b] = int((p_hat[b] == p_hat[b].max()).nonzero()[0])

    posterior = torch.stack([w + 1, n - w + 1], dim=-1).float()
    return index.float(), choice, posterior
