# expect: wrong
# mistake: After restore the numbering starts at 0 instead of version * train_batch, so far too many samples are admitted.
from collections import OrderedDict


class Gate:
    def __init__(self, train_batch, eta, max_concurrent):
        self._cfg = (train_batch, eta, max_concurrent)
        self._version = 0
        self._accepted_total = 0
        self._pending = OrderedDict()
        self._queue = []

    def capacity(self) -> int:
        batch, eta, slots = self._cfg
        total = self._accepted_total + len(self._pending)
        room = (self._version + eta + 1) * batch - total
        return max(0, min(room, slots - len(self._pending)))

    def submit(self, sample) -> bool:
        if self.capacity() < 1:
            return False
        self._pending[sample] = self._version
        return True

    def accept(self, sample) -> None:
        version = self._pending.pop(sample)
        self._accepted_total += 1
        self._queue.append((sample, version))

    def reject(self, sample) -> None:
        self._pending.pop(sample)

    def consume(self) -> list[tuple[int, int]] | None:
        batch = self._cfg[0]
        if len(self._queue) < batch:
            return None
        taken = self._queue[:batch]
        del self._queue[:batch]
        return [(s, self._version - v) for s, v in taken]

    def publish(self) -> None:
        self._version += 1

    def restore(self, version) -> None:
        self._version = version
        self._accepted_total = 0
        self._pending.clear()
        self._queue.clear()

    def queued(self) -> int:
        return len(self._queue)


def staleness_manager(train_batch, eta, max_concurrent):
    return Gate(train_batch, eta, max_concurrent)
