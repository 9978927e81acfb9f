"""Keeps the priorities in a list; a sum tree would give the same results in logarithmic time."""

from bisect import bisect_right
from itertools import accumulate


class Replay:
    def __init__(self, capacity, alpha, eps):
        self.capacity, self.alpha, self.eps = capacity, alpha, eps
        self.priorities = []
        self.next_slot = 0
        self.largest = 1.0

    def add(self):
        slot = self.next_slot
        # A slice also appends if the slot does not exist yet.
        self.priorities[slot : slot + 1] = [self.largest]
        self.next_slot = (slot + 1) % self.capacity
        return slot

    def probabilities(self):
        powers = [priority**self.alpha for priority in self.priorities]
        total = sum(powers)
        return [power / total for power in powers]

    def sample(self, draws, beta):
        probabilities = self.probabilities()
        ends = list(accumulate(probabilities))
        # Rounding can move the last point to the last end or beyond it, where there is no slot.
        last = max(slot for slot, share in enumerate(probabilities) if share > 0)
        slots = [min(bisect_right(ends, (place + draw) / len(draws)), last) for place, draw in enumerate(draws)]
        weights = [probabilities[slot] ** -beta for slot in slots]
        largest = max(weights)
        return slots, [weight / largest for weight in weights]

    def update(self, slots, errors):
        for slot, error in zip(slots, errors, strict=True):
            self.priorities[slot] = abs(error) + self.eps
            self.largest = max(self.largest, self.priorities[slot])


def prioritized_replay(capacity, alpha, eps):
    """Return a buffer that manages slots, priorities and importance weights; the transitions are stored elsewhere.

    Source: arXiv:1511.05952, sections 3.3 and 3.4, algorithm 1, appendix B.2.1.
    """
    return Replay(capacity, alpha, eps)
