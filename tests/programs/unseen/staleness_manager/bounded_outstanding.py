# expect: wrong
# mistake: The rule limits the samples that are being generated or queued to (eta + 1) batches, so places come back when a batch is consumed and not when a version is published.
from collections import deque


class Gate:
    def __init__(self, train_batch, eta, max_concurrent):
        self.train_batch = train_batch
        self.limit = (eta + 1) * train_batch
        self.max_concurrent = max_concurrent
        self.version = 0
        self.running = {}
        self.done = deque()

    def capacity(self) -> int:
        outstanding = len(self.running) + len(self.done)
        return max(0, min(self.limit - outstanding, self.max_concurrent - len(self.running)))

    def submit(self, sample) -> bool:
        if self.capacity() < 1:
            return False
        self.running[sample] = self.version
        return True

    def accept(self, sample) -> None:
        self.done.append((sample, self.running.pop(sample)))

    def reject(self, sample) -> None:
        self.running.pop(sample)

    def consume(self) -> list[tuple[int, int]] | None:
        if len(self.done) < self.train_batch:
            return None
        return [(s, self.version - v) for s, v in (self.done.popleft() for _ in range(self.train_batch))]

    def publish(self) -> None:
        self.version += 1

    def restore(self, version) -> None:
        self.version = version
        self.running = {}
        self.done = deque()

    def queued(self) -> int:
        return len(self.done)


def staleness_manager(train_batch, eta, max_concurrent):
    return Gate(train_batch, eta, max_concurrent)
