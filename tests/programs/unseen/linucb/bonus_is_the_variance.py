# expect: wrong
# mistake: The exploration bonus is alpha times the variance of the prediction instead of its standard deviation.
import torch


class Arm:
    def __init__(self, d, lam):
        self.A = lam * torch.eye(d, dtype=torch.float64)
        self.b = torch.zeros(d, dtype=torch.float64)

    def theta(self):
        return torch.linalg.solve(self.A, self.b)

    def score(self, x, alpha):
        bonus = x @ torch.linalg.solve(self.A, x)
        return (self.theta() @ x + alpha * bonus).item()

    def learn(self, x, reward):
        self.A = self.A + torch.outer(x, x)
        self.b = self.b + reward * x


def linucb(contexts, rewards, alpha, lam=1.0):
    T, K, d = contexts.shape
    models = [Arm(d, lam) for _ in range(K)]
    arms, scores = [], []
    for t in range(T):
        xs = [contexts[t, k].double().contiguous() for k in range(K)]
        row = [model.score(x, alpha) for model, x in zip(models, xs)]
        arm = row.index(max(row))
        models[arm].learn(xs[arm], rewards[t, arm].double())
        arms.append(arm)
        scores.append(row)
    dtype = contexts.dtype
    theta = torch.stack([model.theta() for model in models]).to(dtype)
    return torch.tensor(arms), torch.tensor(scores, dtype=dtype), theta
