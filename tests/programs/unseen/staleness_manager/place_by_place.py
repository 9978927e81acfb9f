# expect: right
class Gate:
    """Works out for the next sample at which version it would be trained on, and asks whether that is too late."""

    def __init__(self, train_batch, eta, max_concurrent):
        self._b, self._eta, self._slots = train_batch, eta, max_concurrent
        self.restore(0)

    def restore(self, version) -> None:
        self._version = version
        self._next_number = version * self._b
        self._busy = []  # (sample, version)
        self._ready = []  # (sample, version)

    def capacity(self) -> int:
        free = 0
        while len(self._busy) + free < self._slots:
            trained_at = (self._next_number + free) // self._b
            if trained_at - self._version > self._eta:
                break
            free += 1
        return free

    def submit(self, sample) -> bool:
        admitted = self.capacity() > 0
        if admitted:
            self._busy.append((sample, self._version))
            self._next_number += 1
        return admitted

    def _take(self, sample):
        place = [name for name, _ in self._busy].index(sample)
        return self._busy.pop(place)

    def accept(self, sample) -> None:
        self._ready.append(self._take(sample))

    def reject(self, sample) -> None:
        self._take(sample)
        self._next_number -= 1

    def consume(self) -> list[tuple[int, int]] | None:
        if len(self._ready) < self._b:
            return None
        batch, self._ready = self._ready[:self._b], self._ready[self._b:]
        return [(sample, self._version - version) for sample, version in batch]

    def publish(self) -> None:
        self._version += 1

    def queued(self) -> int:
        return len(self._ready)


def staleness_manager(train_batch, eta, max_concurrent):
    return Gate(train_batch, eta, max_concurrent)
