from collections import OrderedDict
from fractions import Fraction


class Replay:
    def __init__(self, capacity, alpha, eps):
        self.capacity, self.alpha, self.eps = capacity, alpha, eps
        self.by_age = OrderedDict()
        self.history = [1.0]

    def add(self):
        if len(self.by_age) < self.capacity:
            slot = len(self.by_age)
        else:
            slot, _ = self.by_age.popitem(last=False)
        self.by_age[slot] = max(self.history)
        return slot

    def _masses(self):
        return [Fraction(self.by_age[slot] ** self.alpha) for slot in sorted(self.by_age)]

    def probabilities(self):
        masses = self._masses()
        total = sum(masses)
        return [float(m / total) for m in masses]

    def sample(self, draws, beta):
        masses = self._masses()
        total = sum(masses)
        count = len(draws)
        slots = []
        slot, end = 0, masses[0]
        for i, draw in enumerate(draws):
            point = (i + Fraction(draw)) * total
            while point >= end * count:
                slot += 1
                end += masses[slot]
            slots.append(slot)
        weights = [float(total / (len(masses) * masses[s])) ** beta for s in slots]
        largest = max(weights, default=1.0)
        return slots, [w / largest for w in weights]

    def update(self, slots, errors):
        values = [abs(e) + self.eps for e in errors]
        self.history = [max(self.history + values)]
        for i, slot in enumerate(slots):
            self.by_age[slot] = values[i]


def prioritized_replay(capacity, alpha, eps):
    return Replay(capacity, alpha, eps)
