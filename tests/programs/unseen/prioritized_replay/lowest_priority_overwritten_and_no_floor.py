# expect: wrong
# mistake: When all slots are occupied, the transition with the lowest priority is overwritten instead of the oldest one, and the first update replaces the largest priority 1 even by a smaller one.
from itertools import accumulate


class Replay:
    def __init__(self, capacity, alpha, eps):
        self.capacity, self.alpha, self.eps = capacity, alpha, eps
        self.priorities = []
        self.largest = None

    def add(self) -> int:
        priority = 1.0 if self.largest is None else self.largest
        if len(self.priorities) < self.capacity:
            self.priorities.append(priority)
            return len(self.priorities) - 1
        slot = min(range(self.capacity), key=self.priorities.__getitem__)
        self.priorities[slot] = priority
        return slot

    def probabilities(self) -> list[float]:
        powers = [p**self.alpha for p in self.priorities]
        total = sum(powers)
        return [p / total for p in powers]

    def sample(self, draws, beta):
        probs = self.probabilities()
        starts = [0.0, *accumulate(probs)][:-1]
        slots = []
        for i, draw in enumerate(draws):
            point = (i + draw) / len(draws)
            slots.append(max(s for s, p in enumerate(probs) if p > 0 and starts[s] <= point))
        weights = [(1 / (len(probs) * probs[s])) ** beta for s in slots]
        top = max(weights)
        return slots, [w / top for w in weights]

    def update(self, slots, errors) -> None:
        new = [abs(error) + self.eps for error in errors]
        for slot, priority in zip(slots, new):
            self.priorities[slot] = priority
        self.largest = max(new) if self.largest is None else max(self.largest, *new)


def prioritized_replay(capacity, alpha, eps):
    return Replay(capacity, alpha, eps)
