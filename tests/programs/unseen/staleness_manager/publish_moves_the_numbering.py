# expect: right
from collections import deque


class Gate:
    def __init__(self, train_batch, eta, max_concurrent):
        self.train_batch = train_batch
        self.eta = eta
        self.max_concurrent = max_concurrent
        self.reset(0)

    def reset(self, version):
        self.version = version
        self.count = version * self.train_batch
        self.in_flight = {}
        self.done = deque()

    def capacity(self) -> int:
        limit = (self.version + self.eta + 1) * self.train_batch
        return max(0, min(limit - self.count, self.max_concurrent - len(self.in_flight)))

    def submit(self, sample) -> bool:
        ok = self.capacity() > 0
        if ok:
            self.in_flight[sample] = self.version
            self.count += 1
        return ok

    def accept(self, sample) -> None:
        self.done.append((sample, self.in_flight.pop(sample)))

    def reject(self, sample) -> None:
        del self.in_flight[sample]
        self.count -= 1

    def consume(self) -> list[tuple[int, int]] | None:
        if len(self.done) < self.train_batch:
            return None
        out = []
        while len(out) < self.train_batch:
            sample, version = self.done.popleft()
            out.append((sample, self.version - version))
        return out

    def publish(self) -> None:
        self.version += 1
        self.count = max(self.count, self.version * self.train_batch)

    def restore(self, version) -> None:
        self.reset(version)

    def queued(self) -> int:
        return len(self.done)


def staleness_manager(train_batch, eta, max_concurrent):
    return Gate(train_batch, eta, max_concurrent)
