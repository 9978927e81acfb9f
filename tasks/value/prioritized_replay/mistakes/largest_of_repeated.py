class Replay:
    def __init__(self, capacity, alpha, eps):
        self.capacity = capacity
        self.alpha = alpha
        self.eps = eps
        self.priorities = []
        self.added = 0
        self.largest = 1.0

    def add(self):
        slot = self.added % self.capacity
        self.added += 1
        priority = self.largest
        if slot == len(self.priorities):
            self.priorities.append(priority)
        else:
            self.priorities[slot] = priority
        return slot

    def probabilities(self):
        powers = [p**self.alpha for p in self.priorities]
        return [power / sum(powers) for power in powers]

    def find(self, shares, point):
        chosen, end = -1, 0.0
        for slot, share in enumerate(shares):
            end += share
            if share > 0:
                chosen = slot
            if point < end:
                break
        return chosen

    def sample(self, draws, beta):
        shares = self.probabilities()
        points = [(i + draw) / len(draws) for i, draw in enumerate(draws)]
        slots = [self.find(shares, point) for point in points]
        weights = [(len(shares) * shares[slot]) ** -beta for slot in slots]
        return slots, [weight / max(weights) for weight in weights]

    def update(self, slots, errors):
        new = {}
        for slot, error in zip(slots, errors, strict=True):
            new[slot] = max(new.get(slot, 0.0), abs(error) + self.eps)
        for slot, priority in new.items():
            self.priorities[slot] = priority
            self.largest = max(self.largest, priority)


def prioritized_replay(capacity, alpha, eps):
    return Replay(capacity, alpha, eps)
