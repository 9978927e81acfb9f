# expect: wrong
# mistake: A sample takes one of the max_concurrent slots until it is consumed, not until it is finished.
from dataclasses import dataclass, field


@dataclass
class Gate:
    train_batch: int
    eta: int
    max_concurrent: int
    version: int = 0
    accepted_or_running: int = 0
    born: dict = field(default_factory=dict)
    ready: list = field(default_factory=list)

    def capacity(self) -> int:
        newest = (self.version + self.eta + 1) * self.train_batch
        open_slots = self.max_concurrent - len(self.born)
        return max(0, min(newest - self.accepted_or_running, open_slots))

    def submit(self, sample) -> bool:
        if self.capacity() == 0:
            return False
        self.born[sample] = self.version
        self.accepted_or_running += 1
        return True

    def accept(self, sample) -> None:
        self.ready.append(sample)

    def reject(self, sample) -> None:
        self.born.pop(sample)
        self.accepted_or_running -= 1

    def consume(self) -> list[tuple[int, int]] | None:
        if len(self.ready) < self.train_batch:
            return None
        head = self.ready[:self.train_batch]
        self.ready = self.ready[self.train_batch:]
        return [(sample, self.version - self.born.pop(sample)) for sample in head]

    def publish(self) -> None:
        self.version += 1

    def restore(self, version) -> None:
        self.version = version
        self.accepted_or_running = version * self.train_batch
        self.born = {}
        self.ready = []

    def queued(self) -> int:
        return len(self.ready)


def staleness_manager(train_batch, eta, max_concurrent):
    return Gate(train_batch, eta, max_concurrent)
