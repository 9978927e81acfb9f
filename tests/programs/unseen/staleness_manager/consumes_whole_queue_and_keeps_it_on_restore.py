# expect: wrong
# mistake: consume returns every queued sample once there are at least train_batch of them, and restore leaves the queue as it is.
from dataclasses import dataclass, field


@dataclass
class Gate:
    train_batch: int
    eta: int
    max_concurrent: int
    version: int = 0
    total: int = 0
    running: dict = field(default_factory=dict)
    queue: list = field(default_factory=list)

    def capacity(self) -> int:
        horizon = (self.version + self.eta + 1) * self.train_batch
        return max(0, min(horizon - self.total, self.max_concurrent - len(self.running)))

    def submit(self, sample) -> bool:
        if self.capacity() == 0:
            return False
        self.total += 1
        self.running[sample] = self.version
        return True

    def accept(self, sample) -> None:
        self.queue.append((sample, self.running.pop(sample)))

    def reject(self, sample) -> None:
        self.running.pop(sample)
        self.total -= 1

    def consume(self) -> list[tuple[int, int]] | None:
        if len(self.queue) < self.train_batch:
            return None
        batch = [(sample, self.version - v) for sample, v in self.queue]
        self.queue = []
        return batch

    def publish(self) -> None:
        self.version += 1

    def restore(self, version) -> None:
        self.version = version
        self.total = version * self.train_batch
        self.running = {}

    def queued(self) -> int:
        return len(self.queue)


def staleness_manager(train_batch, eta, max_concurrent):
    return Gate(train_batch, eta, max_concurrent)
