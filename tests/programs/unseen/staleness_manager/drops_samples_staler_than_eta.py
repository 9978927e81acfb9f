# expect: wrong
# mistake: consume discards queued samples whose staleness exceeds eta instead of handing them to the trainer.
class Gate:
    def __init__(self, train_batch, eta, max_concurrent):
        self.train_batch = train_batch
        self.eta = eta
        self.max_concurrent = max_concurrent
        self.version = 0
        self.admitted = 0
        self.running = {}
        self.ready = []

    def capacity(self) -> int:
        ahead = self.train_batch * (self.version + self.eta + 1) - self.admitted
        slots = self.max_concurrent - len(self.running)
        return max(min(ahead, slots), 0)

    def submit(self, sample) -> bool:
        if self.capacity() <= 0:
            return False
        self.running[sample] = self.version
        self.admitted += 1
        return True

    def accept(self, sample) -> None:
        born = self.running.pop(sample)
        self.ready.append((sample, born))

    def reject(self, sample) -> None:
        self.running.pop(sample)
        self.admitted -= 1

    def consume(self) -> list[tuple[int, int]] | None:
        fresh = [(s, v) for s, v in self.ready if self.version - v <= self.eta]
        if len(fresh) < self.train_batch:
            return None
        batch, self.ready = fresh[: self.train_batch], fresh[self.train_batch :]
        return [(s, self.version - v) for s, v in batch]

    def publish(self) -> None:
        self.version += 1

    def restore(self, version) -> None:
        self.version = version
        self.admitted = version * self.train_batch
        self.running.clear()
        self.ready.clear()

    def queued(self) -> int:
        return len(self.ready)


def staleness_manager(train_batch, eta, max_concurrent):
    return Gate(train_batch, eta, max_concurrent)
