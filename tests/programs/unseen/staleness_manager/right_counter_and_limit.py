# expect: right
from collections import defaultdict, deque


class Gate:
    def __init__(self, train_batch, eta, max_concurrent):
        self.batch, self.eta, self.max_concurrent = train_batch, eta, max_concurrent
        self._start(0)

    def _start(self, version):
        self.version = version
        self.next_number = version * self.batch
        self.unfinished = 0
        self.started = defaultdict(deque)   # sample -> versions at submission
        self.queue = deque()

    def capacity(self):
        by_staleness = (self.version + self.eta + 1) * self.batch - self.next_number
        by_slots = self.max_concurrent - self.unfinished
        return max(0, min(by_staleness, by_slots))

    def submit(self, sample):
        if self.capacity() == 0:
            return False
        self.next_number += 1
        self.unfinished += 1
        self.started[sample].append(self.version)
        return True

    def _finish(self, sample):
        self.unfinished -= 1
        version = self.started[sample].popleft()
        if not self.started[sample]:
            del self.started[sample]
        return version

    def accept(self, sample):
        self.queue.append((sample, self._finish(sample)))

    def reject(self, sample):
        self._finish(sample)
        self.next_number -= 1

    def consume(self):
        if len(self.queue) < self.batch:
            return None
        taken = [self.queue.popleft() for _ in range(self.batch)]
        return [(sample, self.version - version) for sample, version in taken]

    def publish(self):
        self.version += 1

    def restore(self, version):
        self._start(version)

    def queued(self):
        return len(self.queue)


def staleness_manager(train_batch, eta, max_concurrent):
    return Gate(train_batch, eta, max_concurrent)
