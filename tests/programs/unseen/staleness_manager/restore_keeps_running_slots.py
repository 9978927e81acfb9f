# expect: wrong
# mistake: restore does not reset the number of unfinished samples, so the lost ones go on taking up concurrency.
from collections import deque


class Gate:
    def __init__(self, train_batch, eta, max_concurrent):
        self.train_batch = train_batch
        self.eta = eta
        self.max_concurrent = max_concurrent
        self.version = 0
        self.num_admitted = 0
        self.num_running = 0
        self.submit_version = {}
        self.buffer = deque()

    def _staleness_budget(self):
        last_batch = self.version + self.eta
        return (last_batch + 1) * self.train_batch - self.num_admitted

    def _slots(self):
        return self.max_concurrent - self.num_running

    def capacity(self) -> int:
        return max(0, min(self._staleness_budget(), self._slots()))

    def submit(self, sample) -> bool:
        if self.num_admitted // self.train_batch > self.version + self.eta:
            return False
        if self.num_running >= self.max_concurrent:
            return False
        self.submit_version[sample] = self.version
        self.num_admitted += 1
        self.num_running += 1
        return True

    def accept(self, sample) -> None:
        self.num_running -= 1
        self.buffer.append(sample)

    def reject(self, sample) -> None:
        self.num_running -= 1
        self.num_admitted -= 1
        del self.submit_version[sample]

    def consume(self) -> list[tuple[int, int]] | None:
        if len(self.buffer) < self.train_batch:
            return None
        batch = [self.buffer.popleft() for _ in range(self.train_batch)]
        return [(s, self.version - self.submit_version.pop(s)) for s in batch]

    def publish(self) -> None:
        self.version += 1

    def restore(self, version) -> None:
        self.version = version
        self.num_admitted = version * self.train_batch
        self.submit_version.clear()
        self.buffer.clear()

    def queued(self) -> int:
        return len(self.buffer)


def staleness_manager(train_batch, eta, max_concurrent):
    return Gate(train_batch, eta, max_concurrent)
