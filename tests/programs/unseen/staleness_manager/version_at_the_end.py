# expect: wrong
# mistake: Staleness is counted from the version at which the sample was accepted instead of the one at which it was submitted.
class Gate:
    def __init__(self, train_batch, eta, max_concurrent):
        self.train_batch = train_batch
        self.eta = eta
        self.max_concurrent = max_concurrent
        self.current = 0
        self.admitted = 0
        self.in_progress = 0
        self.queue = []

    def capacity(self) -> int:
        room = (self.current + self.eta + 1) * self.train_batch - self.admitted
        return max(min(room, self.max_concurrent - self.in_progress), 0)

    def submit(self, sample) -> bool:
        if self.capacity() <= 0:
            return False
        self.admitted += 1
        self.in_progress += 1
        return True

    def accept(self, sample) -> None:
        self.in_progress -= 1
        self.queue.append((sample, self.current))

    def reject(self, sample) -> None:
        self.in_progress -= 1
        self.admitted -= 1

    def consume(self) -> list[tuple[int, int]] | None:
        if len(self.queue) < self.train_batch:
            return None
        batch = self.queue[:self.train_batch]
        del self.queue[:self.train_batch]
        return [(sample, self.current - version) for sample, version in batch]

    def publish(self) -> None:
        self.current += 1

    def restore(self, version) -> None:
        self.current = version
        self.admitted = version * self.train_batch
        self.in_progress = 0
        self.queue = []

    def queued(self) -> int:
        return len(self.queue)


def staleness_manager(train_batch, eta, max_concurrent):
    return Gate(train_batch, eta, max_concurrent)
