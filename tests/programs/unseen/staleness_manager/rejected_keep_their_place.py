# expect: wrong
# mistake: A rejected sample frees its slot but does not give back its place in the count of admitted samples.
from collections import deque


class Gate:
    def __init__(self, train_batch, eta, max_concurrent):
        self.B = train_batch
        self.eta = eta
        self.max_concurrent = max_concurrent
        self.version = 0
        self.submitted = 0
        self.active = {}
        self.buffer = deque()

    def capacity(self) -> int:
        staleness_room = self.B * (self.version + self.eta + 1) - self.submitted
        concurrency_room = self.max_concurrent - len(self.active)
        return max(0, min(staleness_room, concurrency_room))

    def submit(self, sample) -> bool:
        if not self.capacity():
            return False
        self.active[sample] = self.version
        self.submitted += 1
        return True

    def accept(self, sample) -> None:
        version = self.active.pop(sample)
        self.buffer.append((sample, version))

    def reject(self, sample) -> None:
        del self.active[sample]

    def consume(self) -> list[tuple[int, int]] | None:
        if len(self.buffer) < self.B:
            return None
        batch = []
        while len(batch) < self.B:
            sample, version = self.buffer.popleft()
            batch.append((sample, self.version - version))
        return batch

    def publish(self) -> None:
        self.version += 1

    def restore(self, version) -> None:
        self.version = version
        self.submitted = version * self.B
        self.active.clear()
        self.buffer.clear()

    def queued(self) -> int:
        return len(self.buffer)


def staleness_manager(train_batch, eta, max_concurrent):
    return Gate(train_batch, eta, max_concurrent)
