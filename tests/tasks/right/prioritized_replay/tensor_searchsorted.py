from types import SimpleNamespace

import torch


def prioritized_replay(capacity, alpha, eps):
    priority = torch.zeros(capacity, dtype=torch.float64)
    state = {"next": 0, "count": 0, "largest": 1.0}

    def distribution():
        p = priority[: state["count"]]
        if alpha == 0:
            mass = torch.ones_like(p)
        else:
            mass = (p / p.max()) ** alpha
        return mass / mass.sum()

    def add():
        slot = state["next"]
        priority[slot] = state["largest"]
        state["next"] = (slot + 1) % capacity
        state["count"] = max(state["count"], slot + 1)
        return slot

    def probabilities():
        return distribution().tolist()

    def sample(draws, beta):
        if len(draws) == 0:
            return [], []
        probs = distribution()
        edges = probs.cumsum(0)
        k = len(draws)
        points = (torch.arange(k, dtype=torch.float64) + torch.tensor(draws, dtype=torch.float64)) / k
        last = int(torch.nonzero(probs).max())
        index = torch.searchsorted(edges, points, right=True).clamp(max=last)
        log_w = -beta * (probs[index] * state["count"]).log()
        weights = (log_w - log_w.max()).exp()
        return index.tolist(), weights.tolist()

    def update(slots, errors):
        for slot, error in dict(zip(slots, errors)).items():
            priority[slot] = abs(error) + eps
        state["largest"] = max([state["largest"], *(abs(e) + eps for e in errors)])

    return SimpleNamespace(add=add, probabilities=probabilities, sample=sample, update=update)
