# expect: wrong
# mistake: The rule allows eta batches ahead in all instead of eta + 1 (the last allowed version is one too low).
# mistake: The trainer gets the newest samples of the queue instead of the first.
class Gate:
    def __init__(self, train_batch, eta, max_concurrent):
        self.train_batch = train_batch
        self.eta = eta
        self.max_concurrent = max_concurrent
        self.version = 0
        self.count = 0
        self.running = {}
        self.stack = []

    def capacity(self) -> int:
        by_staleness = (self.version + self.eta) * self.train_batch - self.count
        by_concurrency = self.max_concurrent - len(self.running)
        return max(0, min(by_staleness, by_concurrency))

    def submit(self, sample) -> bool:
        if self.capacity() <= 0:
            return False
        self.count += 1
        self.running[sample] = self.version
        return True

    def accept(self, sample) -> None:
        self.stack.append((sample, self.running.pop(sample)))

    def reject(self, sample) -> None:
        del self.running[sample]
        self.count -= 1

    def consume(self) -> list[tuple[int, int]] | None:
        if len(self.stack) < self.train_batch:
            return None
        batch = [self.stack.pop() for _ in range(self.train_batch)]
        return [(sample, self.version - version) for sample, version in batch]

    def publish(self) -> None:
        self.version += 1

    def restore(self, version) -> None:
        self.version = version
        self.count = version * self.train_batch
        self.running = {}
        self.stack = []

    def queued(self) -> int:
        return len(self.stack)


def staleness_manager(train_batch, eta, max_concurrent):
    return Gate(train_batch, eta, max_concurrent)
