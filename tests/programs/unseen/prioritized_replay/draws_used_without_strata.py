# expect: wrong
# mistake: Each draw is used as a point in [0, 1) directly, without the division into strata.
class Replay:
    def __init__(self, capacity, alpha, eps):
        self.capacity = capacity
        self.alpha = alpha
        self.eps = eps
        self.prios = {}
        self.added = 0
        self.max_prio = 1.0

    def add(self) -> int:
        slot = self.added % self.capacity
        self.prios[slot] = self.max_prio
        self.added += 1
        return slot

    def probabilities(self) -> list[float]:
        masses = [self.prios[slot] ** self.alpha for slot in range(len(self.prios))]
        total = sum(masses)
        return [mass / total for mass in masses]

    def _find(self, probs, point):
        upper = 0.0
        found = None
        for slot, p in enumerate(probs):
            if p == 0:
                continue
            upper += p
            found = slot
            if point < upper:
                break
        return found

    def sample(self, draws, beta):
        probs = self.probabilities()
        slots = [self._find(probs, u) for u in draws]
        raw = [(1 / len(probs) / probs[slot]) ** beta for slot in slots]
        return slots, [w / max(raw) for w in raw]

    def update(self, slots, errors) -> None:
        for slot, error in zip(slots, errors):
            p = abs(error) + self.eps
            self.max_prio = max(self.max_prio, p)
            self.prios[slot] = p


def prioritized_replay(capacity, alpha, eps):
    return Replay(capacity, alpha, eps)
