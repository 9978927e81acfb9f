# expect: wrong
# mistake: A new transition gets the largest priority that is in the buffer at the moment (1 if it is empty), instead of the largest one that any transition has ever had.
import numpy as np


class Replay:
    def __init__(self, capacity, alpha, eps):
        self.capacity, self.alpha, self.eps = capacity, alpha, eps
        self.priority = np.zeros(capacity)
        self.size = 0
        self.head = 0

    def add(self) -> int:
        slot = self.head
        self.priority[slot] = self.priority[: self.size].max() if self.size else 1.0
        self.head = (self.head + 1) % self.capacity
        self.size = min(self.size + 1, self.capacity)
        return slot

    def _probs(self):
        scaled = self.priority[: self.size] ** self.alpha
        return scaled / scaled.sum()

    def probabilities(self) -> list[float]:
        return self._probs().tolist()

    def sample(self, draws, beta):
        p = self._probs()
        points = (np.arange(len(draws)) + np.asarray(draws)) / len(draws)
        slots = np.searchsorted(np.cumsum(p), points, side="right")
        slots = np.minimum(slots, np.flatnonzero(p)[-1])
        weights = (1.0 / (self.size * p[slots])) ** beta
        weights = weights / weights.max()
        return slots.tolist(), weights.tolist()

    def update(self, slots, errors) -> None:
        for slot, error in zip(slots, errors):
            self.priority[slot] = abs(error) + self.eps


def prioritized_replay(capacity, alpha, eps):
    return Replay(capacity, alpha, eps)
