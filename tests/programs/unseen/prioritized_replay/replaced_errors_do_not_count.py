# expect: wrong
# mistake: An error that a later one for the same slot in the same call replaces does not count toward the largest priority.
from bisect import bisect_right
from itertools import accumulate


class Replay:
    def __init__(self, capacity, alpha, eps):
        self.capacity = capacity
        self.alpha = alpha
        self.eps = eps
        self.priorities = []
        self.next_slot = 0
        self.largest = 1.0

    def add(self):
        slot = self.next_slot
        if slot == len(self.priorities):
            self.priorities.append(self.largest)
        else:
            self.priorities[slot] = self.largest
        self.next_slot = (slot + 1) % self.capacity
        return slot

    def probabilities(self):
        powers = [priority**self.alpha for priority in self.priorities]
        total = sum(powers)
        return [power / total for power in powers]

    def sample(self, draws, beta):
        chances = self.probabilities()
        edges = list(accumulate(chances))
        last = max(slot for slot, chance in enumerate(chances) if chance > 0)
        slots = []
        for i, draw in enumerate(draws):
            point = (i + draw) / len(draws)
            slots.append(min(bisect_right(edges, point), last))
        weights = [(len(chances) * chances[slot]) ** -beta for slot in slots]
        largest = max(weights)
        return slots, [weight / largest for weight in weights]

    def update(self, slots, errors):
        latest = dict(zip(slots, errors))
        for slot, error in latest.items():
            priority = abs(error) + self.eps
            self.priorities[slot] = priority
            self.largest = max(self.largest, priority)


def prioritized_replay(capacity, alpha, eps):
    return Replay(capacity, alpha, eps)
