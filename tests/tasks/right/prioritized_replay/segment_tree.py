class SumTreeReplay:
    def __init__(self, capacity, alpha, eps):
        self.capacity = capacity
        self.alpha = alpha
        self.eps = eps
        self.size = 1
        while self.size < capacity:
            self.size *= 2
        self.tree = [0.0] * (2 * self.size)
        self.top = 1.0
        self.written = 0

    def _set(self, slot, priority):
        i = slot + self.size
        self.tree[i] = priority**self.alpha
        i //= 2
        while i >= 1:
            self.tree[i] = self.tree[2 * i] + self.tree[2 * i + 1]
            i //= 2

    def _count(self):
        return min(self.written, self.capacity)

    def add(self):
        slot = self.written % self.capacity
        self.written += 1
        self._set(slot, self.top)
        return slot

    def probabilities(self):
        total = self.tree[1]
        return [self.tree[self.size + i] / total for i in range(self._count())]

    def _find(self, mass):
        i = 1
        while i < self.size:
            left, right = self.tree[2 * i], self.tree[2 * i + 1]
            if right == 0 or (left > 0 and mass < left):
                i = 2 * i
            else:
                mass -= left
                i = 2 * i + 1
        return i - self.size

    def sample(self, draws, beta):
        total = self.tree[1]
        n = len(draws)
        slots = [self._find((i + d) / n * total) for i, d in enumerate(draws)]
        if not slots:
            return [], []
        masses = [self.tree[self.size + s] for s in slots]
        low = min(masses)
        raw = [(low / m) ** beta for m in masses]
        peak = max(raw)
        return slots, [w / peak for w in raw]

    def update(self, slots, errors):
        for slot, error in zip(slots, errors):
            p = abs(error) + self.eps
            self.top = max(self.top, p)
            self._set(slot, p)


def prioritized_replay(capacity, alpha, eps):
    return SumTreeReplay(capacity, float(alpha), eps)
