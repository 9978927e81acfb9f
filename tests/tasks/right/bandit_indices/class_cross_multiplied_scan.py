import torch


class Bandits:
    """Counts of B bandits with K arms each."""

    def __init__(self, wins, pulls):
        self.wins = wins
        self.pulls = pulls
        self.size, self.arms = wins.shape

    def ucb1(self):
        index = torch.full((self.size, self.arms), float("inf"), dtype=torch.float64, device=self.wins.device)
        log_total = torch.log(self.pulls.sum(dim=1).to(torch.float64))
        row, arm = torch.nonzero(self.pulls, as_tuple=True)
        n = self.pulls[row, arm].to(torch.float64)
        index[row, arm] = self.wins[row, arm] / n + torch.sqrt(2.0 * log_total[row] / n)
        return index.to(torch.float32)

    def best(self):
        """Scan the arms from left to right; w / n > w' / n' is compared as w n' > w' n."""
        best = torch.zeros(self.size, dtype=torch.int64, device=self.wins.device)
        best_wins, best_pulls = self.wins[:, 0], self.pulls[:, 0].clamp(min=1)
        for arm in range(1, self.arms):
            wins, pulls = self.wins[:, arm], self.pulls[:, arm].clamp(min=1)
            better = wins * best_pulls > best_wins * pulls
            best = best.masked_fill(better, arm)
            best_wins = torch.where(better, wins, best_wins)
            best_pulls = torch.where(better, pulls, best_pulls)
        return best

    def uniform(self, v):
        edges = torch.arange(1, self.arms, dtype=torch.float64, device=v.device) / self.arms
        return torch.searchsorted(edges, v.to(torch.float64).contiguous(), right=True)

    def epsilon_greedy(self, eps, u, v):
        choice = self.best()
        explore = u.to(torch.float64) < eps
        choice[explore] = self.uniform(v)[explore]
        return choice

    def posterior(self):
        out = torch.ones(self.size, self.arms, 2, device=self.wins.device)
        out[..., 0] += self.wins
        out[..., 1] += self.pulls - self.wins
        return out


def bandit_indices(wins, pulls, eps, u, v) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return (index, choice, posterior): [B, K] float32, [B] int64, and [B, K, 2] float32."""
    bandits = Bandits(wins, pulls)
    return bandits.ucb1(), bandits.epsilon_greedy(eps, u, v), bandits.posterior()
