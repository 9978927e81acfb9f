import math

import torch


class SquareRootRidge:
    """Ridge regression that keeps an upper triangular R with R^T R = X^T X + lam I, and z with R^T z = X^T y."""

    def __init__(self, dim, lam):
        self.dim = dim
        self.r = [[math.sqrt(lam) if i == j else 0.0 for j in range(dim)] for i in range(dim)]
        self.z = [0.0] * dim

    def add(self, row, reward):
        row = list(row)
        for i in range(self.dim):
            if row[i] == 0.0:
                continue
            length = math.hypot(self.r[i][i], row[i])
            c, s = self.r[i][i] / length, row[i] / length
            for j in range(i, self.dim):
                a, b = self.r[i][j], row[j]
                self.r[i][j], row[j] = c * a + s * b, c * b - s * a
            self.z[i], reward = c * self.z[i] + s * reward, c * reward - s * self.z[i]

    def coefficients(self):
        theta = [0.0] * self.dim
        for i in reversed(range(self.dim)):
            rest = sum(self.r[i][j] * theta[j] for j in range(i + 1, self.dim))
            theta[i] = (self.z[i] - rest) / self.r[i][i]
        return theta

    def predict(self, row):
        """Return the predicted reward and its standard deviation, from the solution of R^T s = row."""
        s = []
        for i in range(self.dim):
            s.append((row[i] - sum(self.r[j][i] * s[j] for j in range(i))) / self.r[i][i])
        return sum(a * b for a, b in zip(s, self.z)), math.sqrt(sum(a * a for a in s))


def linucb(contexts, rewards, alpha, lam=1.0) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return (arms, scores, theta): the choices [T] int64, the scores [T, K], and the final estimates [K, d]."""
    num_rounds, num_arms, dim = contexts.shape
    table, payoffs = contexts.tolist(), rewards.tolist()
    models = [SquareRootRidge(dim, lam) for _ in range(num_arms)]
    arms, scores = [], []
    for t in range(num_rounds):
        row = []
        for model, context in zip(models, table[t]):
            mean, deviation = model.predict(context)
            row.append(mean + alpha * deviation)
        best = max(row)
        arm = next(k for k, score in enumerate(row) if score >= best - 1e-9 * (1 + abs(best)))
        models[arm].add(table[t][arm], payoffs[t][arm])
        arms.append(arm)
        scores.append(row)
    dtype = contexts.dtype
    return (
        torch.tensor(arms, dtype=torch.int64),
        torch.tensor(scores, dtype=dtype).reshape(num_rounds, num_arms),
        torch.tensor([model.coefficients() for model in models], dtype=dtype).reshape(num_arms, dim),
    )
