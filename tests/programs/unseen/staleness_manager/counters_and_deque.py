# expect: right
from collections import deque


class Gate:
    def __init__(self, train_batch, eta, max_concurrent):
        self.train_batch = train_batch
        self.eta = eta
        self.max_concurrent = max_concurrent
        self.version = 0
        self.kept = 0  # admitted and not rejected, since version 0
        self.running = {}  # sample -> versions at which it was submitted
        self.queue = deque()

    def _unfinished(self):
        return sum(len(versions) for versions in self.running.values())

    def capacity(self) -> int:
        by_age = (self.version + self.eta + 1) * self.train_batch - self.kept
        by_workers = self.max_concurrent - self._unfinished()
        return max(0, min(by_age, by_workers))

    def submit(self, sample) -> bool:
        if self.capacity() == 0:
            return False
        self.kept += 1
        self.running.setdefault(sample, deque()).append(self.version)
        return True

    def _finish(self, sample):
        versions = self.running[sample]
        born = versions.popleft()
        if not versions:
            del self.running[sample]
        return born

    def accept(self, sample) -> None:
        self.queue.append((sample, self._finish(sample)))

    def reject(self, sample) -> None:
        self._finish(sample)
        self.kept -= 1

    def consume(self) -> list[tuple[int, int]] | None:
        if len(self.queue) < self.train_batch:
            return None
        batch = [self.queue.popleft() for _ in range(self.train_batch)]
        return [(sample, self.version - born) for sample, born in batch]

    def publish(self) -> None:
        self.version += 1

    def restore(self, version) -> None:
        self.version = version
        self.kept = version * self.train_batch
        self.running.clear()
        self.queue.clear()

    def queued(self) -> int:
        return len(self.queue)


def staleness_manager(train_batch, eta, max_concurrent):
    return Gate(train_batch, eta, max_concurrent)
