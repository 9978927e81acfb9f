# expect: wrong
# mistake: After restore the count of admitted samples starts from 0 instead of from the full batches of all earlier versions.
from collections import OrderedDict, deque


class Gate:
    def __init__(self, train_batch, eta, max_concurrent):
        self.train_batch = train_batch
        self.eta = eta
        self.max_concurrent = max_concurrent
        self._reset(0)

    def _reset(self, version):
        self.version = version
        self.total = 0
        self.pending = OrderedDict()
        self.finished = deque()

    def capacity(self) -> int:
        allowed = (self.eta + self.version + 1) * self.train_batch
        return max(0, min(allowed - self.total, self.max_concurrent - len(self.pending)))

    def submit(self, sample) -> bool:
        ok = self.capacity() > 0
        if ok:
            self.total += 1
            self.pending[sample] = self.version
        return ok

    def accept(self, sample) -> None:
        self.finished.append((sample, self.pending.pop(sample)))

    def reject(self, sample) -> None:
        self.pending.pop(sample)
        self.total -= 1

    def consume(self) -> list[tuple[int, int]] | None:
        if len(self.finished) < self.train_batch:
            return None
        out = []
        for _ in range(self.train_batch):
            sample, version = self.finished.popleft()
            out.append((sample, self.version - version))
        return out

    def publish(self) -> None:
        self.version += 1

    def restore(self, version) -> None:
        self._reset(version)

    def queued(self) -> int:
        return len(self.finished)


def staleness_manager(train_batch, eta, max_concurrent):
    return Gate(train_batch, eta, max_concurrent)
