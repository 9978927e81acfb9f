import heapq
from collections import deque
from dataclasses import dataclass
from statistics import fmean

import torch


@dataclass
class Sample:
    length: float
    have: float = 0.0
    begin: float = 0.0
    end: float = 0.0


def long_tail_makespan(lengths, slots, mode, train_time, batch, started=None, resume_time=0):
    pool = deque(Sample(length) for length in lengths)
    size = {"sync": batch}.get(mode, started)
    steps, trained = [], []
    tokens = wasted = 0.0
    while len(pool) >= size:
        group = [pool.popleft() for _ in range(size)]
        resumes = any(s.have > 0 for s in group)
        heap = [0.0 for _ in range(slots)]
        for s in group:
            s.begin = heapq.heappop(heap)
            s.end = s.begin + (s.length - s.have)
            heapq.heappush(heap, s.end)
        winners = heapq.nsmallest(batch, group, key=lambda s: s.end)
        stop = winners[-1].end
        losers = [s for s in group if s.end > stop]
        trained += [s.length for s in winners]
        tokens += sum(s.length - s.have for s in winners)
        for s in losers:
            made = max(stop - s.begin, 0.0)
            s.have += made
            tokens += made
            wasted += made if mode == "over_provision" else 0.0
        if mode == "partial":
            pool.extendleft(reversed(losers))
        steps.append(stop + train_time + (resume_time if resumes else 0))
    return {
        "step_times": torch.tensor(steps, dtype=torch.float64),
        "utilisation": tokens / slots / sum(steps),
        "wasted_tokens": wasted,
        "mean_trained_length": fmean(trained),
    }
