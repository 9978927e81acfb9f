import queue
from collections import namedtuple
from dataclasses import dataclass, field

Entry = namedtuple("Entry", "sample version")


@dataclass
class Gate:
    batch: int
    eta: int
    slots: int
    version: int = 0
    accepted: int = 0
    running: dict = field(default_factory=dict)
    done: queue.SimpleQueue = field(default_factory=queue.SimpleQueue)

    def capacity(self):
        by_staleness = (self.eta + self.version + 1) * self.batch - (self.accepted + len(self.running))
        return max(0, by_staleness)

    def submit(self, sample):
        admitted = self.capacity() > 0
        if admitted:
            self.running[sample] = Entry(sample, self.version)
        return admitted

    def accept(self, sample):
        self.done.put(self.running.pop(sample))
        self.accepted += 1

    def reject(self, sample):
        self.running.pop(sample)

    def consume(self):
        if self.done.qsize() < self.batch:
            return None
        entries = [self.done.get() for _ in range(self.batch)]
        return [(entry.sample, self.version - entry.version) for entry in entries]

    def publish(self):
        self.version += 1

    def restore(self, version):
        self.__init__(self.batch, self.eta, self.slots, version, version * self.batch)

    def queued(self):
        return self.done.qsize()


def staleness_manager(train_batch, eta, max_concurrent):
    return Gate(train_batch, eta, max_concurrent)
