# expect: wrong
# mistake: Batches are taken in the order of the version of submission, stalest first, instead of in the order in which the samples were accepted.
import heapq


class Gate:
    def __init__(self, train_batch, eta, max_concurrent):
        self.train_batch = train_batch
        self.eta = eta
        self.max_concurrent = max_concurrent
        self.version = 0
        self.issued = 0
        self.born = {}
        self.heap = []
        self.arrival = 0

    def capacity(self) -> int:
        allowed = (self.version + self.eta + 1) * self.train_batch
        free_slots = self.max_concurrent - len(self.born)
        return max(0, min(allowed - self.issued, free_slots))

    def submit(self, sample) -> bool:
        if not self.capacity():
            return False
        self.born[sample] = self.version
        self.issued += 1
        return True

    def accept(self, sample) -> None:
        heapq.heappush(self.heap, (self.born.pop(sample), self.arrival, sample))
        self.arrival += 1

    def reject(self, sample) -> None:
        self.born.pop(sample)
        self.issued -= 1

    def consume(self) -> list[tuple[int, int]] | None:
        if len(self.heap) < self.train_batch:
            return None
        batch = []
        for _ in range(self.train_batch):
            version, _, sample = heapq.heappop(self.heap)
            batch.append((sample, self.version - version))
        return batch

    def publish(self) -> None:
        self.version += 1

    def restore(self, version) -> None:
        self.version = version
        self.issued = version * self.train_batch
        self.born = {}
        self.heap = []

    def queued(self) -> int:
        return len(self.heap)


def staleness_manager(train_batch, eta, max_concurrent):
    return Gate(train_batch, eta, max_concurrent)
