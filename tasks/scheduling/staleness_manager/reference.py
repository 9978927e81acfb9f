"""The capacity depends on how many samples were admitted and not rejected, not on when they finish."""


class Gate:
    def __init__(self, train_batch, eta, max_concurrent):
        self.train_batch, self.eta, self.max_concurrent = train_batch, eta, max_concurrent
        self.restore(0)

    def restore(self, version):
        self.version = version
        # Without this, a restored run would admit as many samples as all its past batches at once.
        self.counted = version * self.train_batch
        self.born = {}  # unfinished sample: version at which it was submitted
        self.queue = []

    def capacity(self):
        unused = (self.version + self.eta + 1) * self.train_batch - self.counted
        return min(unused, self.max_concurrent - len(self.born))

    def submit(self, sample):
        if not self.capacity():
            return False
        self.counted += 1
        self.born[sample] = self.version
        return True

    def accept(self, sample):
        self.queue.append((sample, self.born.pop(sample)))

    def reject(self, sample):
        self.counted -= 1
        del self.born[sample]

    def consume(self):
        if len(self.queue) < self.train_batch:
            return None
        batch, self.queue = self.queue[: self.train_batch], self.queue[self.train_batch :]
        return [(sample, self.version - born) for sample, born in batch]

    def publish(self):
        self.version += 1

    def queued(self):
        return len(self.queue)


def staleness_manager(train_batch, eta, max_concurrent):
    """Return a gate that admits samples only as far ahead of the trainer as `eta` allows.

    Source: arXiv:2505.24298, section 5.1.
    """
    return Gate(train_batch, eta, max_concurrent)
