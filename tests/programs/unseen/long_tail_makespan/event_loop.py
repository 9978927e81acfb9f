# expect: right
from collections import deque

import torch


class Sample:
    def __init__(self, length):
        self.length = float(length)
        self.tokens = 0.0

    def rest(self):
        return self.length - self.tokens


class Step:
    """One step's generation, event by event."""

    def __init__(self, samples, slots, batch, resume_time):
        self.waiting = deque(samples)
        self.slots, self.batch, self.resume_time = slots, batch, resume_time
        self.running = []  # (time of the end, time of the first token, sample)
        self.finished = []
        self.clock = 0.0
        self.tokens = 0.0

    def fill(self):
        while self.waiting and len(self.running) < self.slots:
            sample = self.waiting.popleft()
            first = self.clock
            if sample.tokens > 0:
                first += self.resume_time
            self.running.append((first + sample.rest(), first, sample))

    def run(self):
        while len(self.finished) < self.batch:
            self.fill()
            event = min(self.running, key=lambda entry: entry[0])
            self.running.remove(event)
            self.clock, _, sample = event
            self.tokens += sample.rest()
            sample.tokens = sample.length
            self.finished.append(sample)
        for _, first, sample in self.running:
            made = max(self.clock - first, 0.0)
            self.tokens += made
            sample.tokens += made


def long_tail_makespan(lengths, slots, mode, train_time, batch, started=None, resume_time=0):
    """Return {"step_times": float64 tensor; "utilisation", "wasted_tokens", "mean_trained_length": floats}."""
    source = deque(Sample(length) for length in lengths)
    target = started if mode != "sync" else batch
    carried, trained, times = [], [], []
    tokens = wasted = 0.0
    while len(carried) + len(source) >= target:
        samples = list(carried)
        while len(samples) < target:
            samples.append(source.popleft())
        step = Step(samples, slots, batch, resume_time)
        step.run()
        done = {id(sample) for sample in step.finished}
        rest = [sample for sample in samples if id(sample) not in done]
        if mode == "partial":
            carried = rest
        else:
            wasted += sum(sample.tokens for sample in rest)
        trained += step.finished
        tokens += step.tokens
        times.append(step.clock + train_time)
    return {
        "step_times": torch.tensor(times, dtype=torch.float64),
        "utilisation": tokens / (sum(times) * slots),
        "wasted_tokens": float(wasted),
        "mean_trained_length": sum(sample.length for sample in trained) / len(trained),
    }
