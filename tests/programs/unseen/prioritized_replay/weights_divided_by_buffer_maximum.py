# expect: wrong
# mistake: The importance weights are divided by the largest weight of any slot in the buffer with a positive probability, instead of the largest one in the call.
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
        count = len(chances)
        weight_of = {slot: (count * chance) ** -beta for slot, chance in enumerate(chances) if chance > 0}
        largest = max(weight_of.values())
        return slots, [weight_of[slot] / largest for slot in slots]

    def update(self, slots, errors):
        for slot, error in zip(slots, errors):
            priority = abs(error) + self.eps
            self.priorities[slot] = priority
            self.largest = max(self.largest, priority)


def prioritized_replay(capacity, alpha, eps):
    return Replay(capacity, alpha, eps)
