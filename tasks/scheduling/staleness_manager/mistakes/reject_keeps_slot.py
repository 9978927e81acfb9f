class Gate:
    def __init__(self, train_batch, eta, max_concurrent):
        self.B = train_batch
        self.eta = eta
        self.limit = max_concurrent
        self.version = 0
        self.accepted = 0
        self.rejected = 0
        self.running = {}
        self.queue = []

    def capacity(self):
        ahead = (self.eta + self.version + 1) * self.B - self.accepted - len(self.running) + self.rejected
        slots = self.limit - len(self.running)
        return max(0, min(ahead, slots))

    def submit(self, sample):
        if self.capacity() == 0:
            return False
        self.running[sample] = self.version
        return True

    def accept(self, sample):
        self.accepted += 1
        self.queue.append([sample, self.running[sample]])
        del self.running[sample]

    def reject(self, sample):
        self.rejected += 1

    def consume(self):
        if len(self.queue) < self.B:
            return None
        out = []
        for _ in range(self.B):
            sample, born = self.queue.pop(0)
            out.append((sample, self.version - born))
        return out

    def publish(self):
        self.version += 1

    def restore(self, version):
        self.version = version
        self.accepted = version * self.B
        self.rejected = 0
        self.running = {}
        self.queue = []

    def queued(self):
        return len(self.queue)


def staleness_manager(train_batch, eta, max_concurrent):
    return Gate(train_batch, eta, max_concurrent)
