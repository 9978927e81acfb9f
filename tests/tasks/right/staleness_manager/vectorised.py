import torch

IDLE, RUNNING, QUEUED, GONE = range(4)


class Ledger:
    """One row per submitted sample: state, version of birth, order of completion."""

    def __init__(self, batch, eta, slots):
        self.batch, self.eta, self.slots = batch, eta, slots
        self._reset(0)

    def _reset(self, version):
        self.version = version
        self.base = version * self.batch
        self.names = torch.empty(0, dtype=torch.long)
        self.state = torch.empty(0, dtype=torch.long)
        self.birth = torch.empty(0, dtype=torch.long)
        self.finished = torch.empty(0, dtype=torch.long)
        self.used = torch.empty(0, dtype=torch.bool)
        self.ticks = 0

    restore = _reset

    def capacity(self):
        kept = self.base + int((self.state != GONE).sum())
        indices = torch.arange(kept, kept + self.slots + 1)
        allowed = indices // self.batch - self.version <= self.eta
        return min(int(allowed.sum()), self.slots - int((self.state == RUNNING).sum()))

    def submit(self, sample):
        if self.capacity() <= 0:
            return False
        for field, value in (("names", sample), ("state", RUNNING), ("birth", self.version), ("finished", -1)):
            setattr(self, field, torch.cat([getattr(self, field), torch.tensor([value])]))
        return True

    def accept(self, sample):
        row = (self.names == sample) & (self.state == RUNNING)
        self.state[row] = QUEUED
        self.finished[row] = self.ticks
        self.ticks += 1

    def reject(self, sample):
        self.state[(self.names == sample) & (self.state == RUNNING)] = GONE

    def consume(self):
        rows = (self.state == QUEUED).nonzero()[:, 0]
        if len(rows) < self.batch:
            return None
        rows = rows[self.finished[rows].argsort()][: self.batch]
        self.state[rows] = IDLE
        return list(zip(self.names[rows].tolist(), (self.version - self.birth[rows]).tolist(), strict=False))

    def publish(self):
        self.version += 1

    def queued(self):
        return int((self.state == QUEUED).sum())


def staleness_manager(train_batch, eta, max_concurrent):
    return Ledger(train_batch, eta, max_concurrent)
